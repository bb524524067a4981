import { pathOf } from '@tallystick/contract/call';
import { onesheet, type PayoutSheet } from '@tallystick/contract/operator/payouts';
import { Download } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { counted } from '../../domain/dates.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Copyable, CopyButton } from '../../ui/actions/copy.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Qr, qrLengthMax } from '../../ui/facts/qr.tsx';
import { QrParts } from '../../ui/facts/qr-parts.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { psbtParts } from './ur.ts';

type Transaction = NonNullable<PayoutSheet['transaction']>;

/** Bitcoin: one transaction pays all of it. A wallet signs it; the server never could. */
export function SheetTransaction({ sheet, transaction }: { sheet: PayoutSheet; transaction: Transaction }) {
  return (
    <Card aria-label="Transaction" className="grid gap-4.5 px-5 py-4.5 tablet:px-6">
      <h2 className="text-body tracking-[-0.01em]">Transaction</h2>
      {transaction.replaces.length > 0 && <QuietNotice>{replacesText(transaction.replaces)}</QuietNotice>}
      {/* What has ended is not to be sent any more, or once more. */}
      {sheet.state === 'claimed' && transaction.psbt !== null && (
        <Unsigned sheet={sheet} psbt={transaction.psbt} />
      )}
      {sheet.state === 'made' && (
        <p className="text-label text-2">The file for the wallet is given out once the sheet is claimed.</p>
      )}
      <TransactionFacts transaction={transaction} />
    </Card>
  );
}

const replacesText = (numbers: readonly number[]) =>
  `It spends a coin of ${counted(numbers.length, 'released sheet')} again (${numbers.join(', ')}), so that only one of them can confirm.`;

function Unsigned({ sheet, psbt }: { sheet: PayoutSheet; psbt: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="grid gap-3.5">
      <p className="text-label text-2">
        Sign it with Sparrow or a hardware wallet, compare every address and amount there, and send it.
      </p>
      <div className="flex flex-wrap gap-2.5 max-tablet:*:flex-1">
        <a
          href={`${pathOf(onesheet, { id: sheet._id })}/transaction.psbt`}
          download
          className="inline-flex min-h-11 items-center justify-center gap-2 rounded-control bg-accent px-[18px] text-control font-semibold whitespace-nowrap text-on-accent hover:bg-accent-hover"
        >
          <Download className="size-4" aria-hidden="true" />
          Save the PSBT
        </a>
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the code' : 'Show as QR code'}
        </Button>
        <CopyButton text={psbt} label="Copy as text" labelled />
      </div>
      {isShown && <PsbtCode psbt={psbt} />}
    </div>
  );
}

/** One code where that is enough, else codes that follow one another. */
function PsbtCode({ psbt }: { psbt: string }) {
  const label = 'QR code of the unsigned transaction';
  const parts = useMemo(() => (psbt.length > qrLengthMax ? psbtParts(psbt) : null), [psbt]);
  if (!parts) return <Qr isLarge text={psbt} label={label} />;
  return (
    <div className="grid gap-3">
      <p className="text-label text-2">
        It is too long for one code. Hold the camera on these until the wallet has all of them, in whichever
        order.
      </p>
      <QrParts parts={parts} label={label} />
    </div>
  );
}

function TransactionFacts({ transaction }: { transaction: Transaction }) {
  const { chaintransactionid, satpervbyte, vbytes, fee, change, inputs } = transaction;
  return (
    <dl className="grid gap-x-6 gap-y-2.5 text-label tabular-nums tablet:grid-cols-[auto_minmax(0,1fr)]">
      <Line name="Transaction ID">
        <Copyable what="the transaction ID">{chaintransactionid}</Copyable>
      </Line>
      <Line name="Fee">
        {fee} BTC, {satpervbyte} sat/vB, {vbytes.toLocaleString('en-US')} vB
      </Line>
      <Line name="Change">
        {change ? (
          <>
            {change.coins} BTC to <span className="font-mono text-[0.93em] break-all">{change.address}</span>{' '}
            <span className="font-mono text-[0.93em] text-3">{change.path}</span>
          </>
        ) : (
          'None'
        )}
      </Line>
      <Line name={counted(inputs.length, 'coin')}>
        <ul className="grid gap-1">
          {inputs.map(({ outpoint, path, coins }) => (
            <li key={outpoint}>
              {coins} BTC <span className="font-mono text-[0.93em] break-all text-2">{outpoint}</span>{' '}
              <span className="font-mono text-[0.93em] text-3">{path}</span>
            </li>
          ))}
        </ul>
      </Line>
    </dl>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 tablet:contents">
      <dt className="text-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
