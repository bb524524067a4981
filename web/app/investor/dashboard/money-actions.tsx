import { ArrowDownToLine, ArrowUpFromLine, type LucideIcon, TrendingUp } from 'lucide-react';
import { Button } from '../../ui/actions/button.tsx';
import { type MoneyModal, useOpenModal } from '../money-modals.tsx';

interface Action {
  modal: MoneyModal;
  name: string;
  phoneName: string;
  Icon: LucideIcon;
}

const fund: Action = { modal: 'fund', name: 'Fund Wallet', phoneName: 'Fund', Icon: ArrowDownToLine };
const invest: Action = { modal: 'invest', name: 'Invest', phoneName: 'Invest', Icon: TrendingUp };
const withdraw: Action = {
  modal: 'withdraw',
  name: 'Withdrawal',
  phoneName: 'Withdraw',
  Icon: ArrowUpFromLine,
};

export function WideActions() {
  const open = useOpenModal();
  return (
    <div className="flex flex-wrap gap-2.5 max-tablet:hidden">
      {[withdraw, fund, invest].map(({ modal, name, Icon }) => (
        <Button key={modal} look={modal === 'invest' ? 'primary' : 'secondary'} onClick={() => open(modal)}>
          <Icon className="size-4" aria-hidden="true" />
          {name}
        </Button>
      ))}
    </div>
  );
}

export function PhoneActions() {
  const open = useOpenModal();
  return (
    <div className="grid grid-cols-3 gap-2 tablet:hidden">
      {[fund, invest, withdraw].map(({ modal, phoneName, Icon }) => (
        <button
          key={modal}
          type="button"
          onClick={() => open(modal)}
          className={`grid h-16 place-content-center justify-items-center gap-[5px] rounded-code text-label/[18px] font-semibold ${modal === 'invest' ? 'bg-accent text-on-accent active:bg-accent-press' : 'inset-ring inset-ring-line-strong active:bg-sunken'}`}
        >
          <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
          {phoneName}
        </button>
      ))}
    </div>
  );
}
