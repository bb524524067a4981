import type { Investment } from '@tallystick/contract/investment';
import { formatUsd } from '@tallystick/contract/money';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { CommandModal } from '../command-modal.tsx';
import { RecordCode } from '../record-code.tsx';
import { Mono, Success } from '../success.tsx';
import { InvestForm } from './invest-form.tsx';
import { longDateText, utcText } from './maturity-time.ts';

export function InvestModal({ onClose }: { onClose: () => void }) {
  return <CommandModal title="Invest" onClose={onClose} Form={InvestForm} Done={InvestDone} />;
}

function InvestDone({ made, onClose }: { made: Investment; onClose: () => void }) {
  const maturesAt = new Date(made.maturesat);
  const due = centsOf(made.investinvestmemntamount) + centsOf(made.profit);
  return (
    <Success
      title="Investment started"
      text="It is written in your half and in ours, under the same code."
      receipt={[
        { name: 'Amount', value: usd(made.investinvestmemntamount) },
        { name: `Due ${longDateText(maturesAt)}`, value: formatUsd(due) },
        { name: 'At', value: utcText(maturesAt) },
        { name: 'Transaction ID', value: <Mono>{made.investmentransactionid}</Mono> },
        { name: 'Record code', value: <RecordCode transactionid={made.investmentransactionid} /> },
      ]}
      onClose={onClose}
    />
  );
}
