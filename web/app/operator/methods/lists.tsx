import { networkNameOf } from '@tallystick/contract/networks';
import {
  type OfferedPaymentMethod,
  type OfferedWithdrawalMethod,
  switchpaymentmethod,
  switchwithdrawalmethod,
} from '@tallystick/contract/operator/methods';
import { counted } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { Cell, type Column, Row, Small, takesOver } from '../../ui/lists/table.tsx';
import { SigningState } from '../facts/signing-state.tsx';
import { givenText, sourceText } from '../facts/sources.ts';
import { SiteSwitch } from '../forms/site-switch.tsx';
import { ConsoleTable, Facts } from '../lists/console-table.tsx';

const paymentColumns: readonly Column[] = [
  { name: 'Payment method' },
  { name: 'Network', gives: 'tight' },
  { name: 'Investors send to' },
  { name: 'Confirmations', isNumber: true, gives: 'tight' },
  { name: 'On the site' },
  { name: 'Action', isNumber: true },
];

interface OnMethod {
  onChange: (method: OfferedPaymentMethod) => void;
  onSettings: (method: OfferedPaymentMethod) => void;
  onSign: (method: OfferedPaymentMethod) => void;
}

interface PaymentMethodsProps extends OnMethod {
  /** Undefined while they are on their way. */
  methods: readonly OfferedPaymentMethod[] | undefined;
}

export function PaymentTable({ methods, ...on }: PaymentMethodsProps) {
  return (
    <ConsoleTable caption="Payment methods" columns={paymentColumns}>
      {methods?.map((method) => (
        <Row key={method._id}>
          <Cell isHead className="py-2">
            <span className="flex items-center gap-3">
              <CoinMark coin={method.coin || method.network} size={28} />
              <span>
                <span className="flex items-center gap-x-2.5 @max-wide/table:flex-wrap">
                  <b className="font-semibold">{method.paymentname}</b>
                  {method.sample && <SampleChip />}
                </span>
                <Small className={takesOver.tight}>{networkNameOf(method.network)}</Small>
              </span>
            </span>
          </Cell>
          <Cell gives="tight">{networkNameOf(method.network)}</Cell>
          <Cell className="py-2">
            <SendTo method={method} {...on} />
            <Small className={takesOver.tight}>
              {counted(method.confirmations, 'confirmation')}, from {usd(method.dust)}
            </Small>
          </Cell>
          <Cell isNumber gives="tight">
            {method.confirmations}
            <Small>from {usd(method.dust)}</Small>
          </Cell>
          <Cell>
            <SiteSwitch call={switchpaymentmethod} of={method} name={method.paymentname} />
          </Cell>
          <Cell className="py-2">
            <MethodButtons method={method} {...on} />
          </Cell>
        </Row>
      ))}
    </ConsoleTable>
  );
}

export function PaymentBlocks({ methods, ...on }: PaymentMethodsProps) {
  return (
    <ul>
      {methods?.map((method) => (
        <li key={method._id} className="grid gap-3.5 border-line px-5 py-4 not-first:border-t">
          <div className="flex items-center gap-3">
            <CoinMark coin={method.coin || method.network} size={28} />
            <b className="min-w-0 font-semibold wrap-anywhere">{method.paymentname}</b>
            {method.sample && <SampleChip />}
            <span className="ml-auto">
              <SiteSwitch call={switchpaymentmethod} of={method} name={method.paymentname} />
            </span>
          </div>
          <Facts
            facts={[
              { name: 'Network', value: networkNameOf(method.network) },
              { name: 'Confirmations', value: `${method.confirmations}, from ${usd(method.dust)}` },
              { name: 'Investors send to', value: <SendTo method={method} {...on} />, isWide: true },
            ]}
          />
          <MethodButtons method={method} {...on} />
        </li>
      ))}
    </ul>
  );
}

function SendTo({ method, onSign }: MethodButtonsProps) {
  const { source, paymentaddress, path, proposed, agreed, signing } = method;
  const given = givenText(method);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-label">
      <span className="min-w-0">
        {paymentaddress && <Copyable what="the address">{paymentaddress}</Copyable>}
        {path && (
          <>
            Key <span className="font-mono text-[0.93em] tracking-[-0.01em]">{path}</span>
          </>
        )}
        {!paymentaddress && !path && <span className="text-3">None yet</span>}
        {(agreed || source !== 'derived') && (
          <Small>{[sourceText(method), given].filter(Boolean).join(', ')}</Small>
        )}
        {signing && (
          <SigningState
            signing={signing}
            of={`the ${method.paymentname} address`}
            onOpen={() => onSign(method)}
          />
        )}
      </span>
      {proposed && (
        <Chip look="waiting">{proposed.source === 'derived' ? 'New key waits' : 'New address waits'}</Chip>
      )}
      {!proposed && !agreed && <Chip look="refused">Not agreed to</Chip>}
    </span>
  );
}

interface MethodButtonsProps extends OnMethod {
  method: OfferedPaymentMethod;
}

function MethodButtons({ method, onChange, onSettings }: MethodButtonsProps) {
  const about = <span className="sr-only"> of {method.paymentname}</span>;
  return (
    <div className="flex gap-2 max-tablet:*:flex-1 tablet:justify-end @max-wide/table:flex-col">
      <Button size="small" onClick={() => onSettings(method)}>
        Settings{about}
      </Button>
      <Button size="small" onClick={() => onChange(method)} disabled={method.proposed !== null}>
        {method.source === 'derived' ? 'Change key' : 'Change address'}
        {about}
      </Button>
    </div>
  );
}

const withdrawalColumns: readonly Column[] = [
  { name: 'Withdrawal method', className: 'w-[40%]' },
  { name: 'Network', className: 'w-[40%]' },
  { name: 'On the site' },
];

interface WithdrawalMethodsProps {
  /** Undefined while they are on their way. */
  methods: readonly OfferedWithdrawalMethod[] | undefined;
}

export function WithdrawalRows({ methods }: WithdrawalMethodsProps) {
  return (
    <ul>
      {methods?.map((method) => (
        <li key={method._id} className="flex items-center gap-3 border-line px-5 py-2.5 not-first:border-t">
          <CoinMark coin={method.network} size={28} />
          <span className="min-w-0 flex-1 text-control/5">
            <b className="font-semibold wrap-anywhere">{method.methodname}</b>
            <span className="block text-caption text-3">{networkNameOf(method.network)}</span>
          </span>
          <SiteSwitch call={switchwithdrawalmethod} of={method} name={method.methodname} />
        </li>
      ))}
    </ul>
  );
}

export function WithdrawalTable({ methods }: WithdrawalMethodsProps) {
  return (
    <ConsoleTable caption="Withdrawal methods" columns={withdrawalColumns}>
      {methods?.map((method) => (
        <Row key={method._id}>
          <Cell isHead>
            <span className="flex items-center gap-3">
              <CoinMark coin={method.network} size={28} />
              <b className="font-semibold">{method.methodname}</b>
            </span>
          </Cell>
          <Cell>{networkNameOf(method.network)}</Cell>
          <Cell>
            <SiteSwitch call={switchwithdrawalmethod} of={method} name={method.methodname} />
          </Cell>
        </Row>
      ))}
    </ConsoleTable>
  );
}
