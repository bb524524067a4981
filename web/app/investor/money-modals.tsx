import { createContext, type ReactNode, use, useState } from 'react';
import { FundModal } from './fund/fund-modal.tsx';
import { InvestModal } from './invest/invest-modal.tsx';
import { WithdrawModal } from './withdraw/withdraw-modal.tsx';

export type MoneyModal = 'fund' | 'invest' | 'withdraw';

const OpenModal = createContext<(modal: MoneyModal) => void>(() => {});

/** Opens one of the three from any screen of the area. */
export function useOpenModal(): (modal: MoneyModal) => void {
  return use(OpenModal);
}

const modals = { fund: FundModal, invest: InvestModal, withdraw: WithdrawModal };

export function MoneyModals({ children }: { children: ReactNode }) {
  const [modal, setModal] = useState<MoneyModal | null>(null);
  const Modal = modal && modals[modal];
  return (
    <OpenModal value={setModal}>
      {children}
      {Modal && <Modal onClose={() => setModal(null)} />}
    </OpenModal>
  );
}
