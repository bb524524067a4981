import { networkNameOf } from '@tallystick/contract/networks';
import { type OfferedWithdrawalMethod, switchwithdrawalmethod } from '@tallystick/contract/operator/methods';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Cell, type Column, Row } from '../../ui/lists/table.tsx';
import { SiteSwitch } from '../forms/site-switch.tsx';
import { ConsoleTable } from '../lists/console-table.tsx';

const columns: readonly Column[] = [
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
          <MethodSwitch method={method} />
        </li>
      ))}
    </ul>
  );
}

export function WithdrawalTable({ methods }: WithdrawalMethodsProps) {
  return (
    <ConsoleTable caption="Withdrawal methods" columns={columns}>
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
            <MethodSwitch method={method} />
          </Cell>
        </Row>
      ))}
    </ConsoleTable>
  );
}

function MethodSwitch({ method: { _id, methodname, active } }: { method: OfferedWithdrawalMethod }) {
  return <SiteSwitch call={switchwithdrawalmethod} id={_id} name={methodname} isOn={active} />;
}
