import { type ComponentType, createContext, type ReactNode, use, useEffect, useState } from 'react';
import { logFailure } from '../log.ts';
import { toastFailure } from '../ui/toast.tsx';

export type MoneyModal = 'fund' | 'invest' | 'withdraw';
type Modal = ComponentType<{ onClose: () => void }>;

const OpenModal = createContext<(modal: MoneyModal) => void>(() => {});

/** Opens one of the three from any screen of the area. */
export function useOpenModal(): (modal: MoneyModal) => void {
  return use(OpenModal);
}

/** Forms, selects and the QR code are a good part of the area's code and none of what a screen first shows. */
const load: Record<MoneyModal, () => Promise<Modal>> = {
  fund: async () => (await import('./fund/fund-modal.tsx')).FundModal,
  invest: async () => (await import('./invest/invest-modal.tsx')).InvestModal,
  withdraw: async () => (await import('./withdraw/withdraw-modal.tsx')).WithdrawModal,
};

const fetchAfterMs = 1_500;

export function MoneyModals({ children }: { children: ReactNode }) {
  const [modal, setModal] = useState<{ Modal: Modal } | null>(null);

  // Fetched once the screen is there, so that a press opens at once. Whoever presses sooner, or after a failure, asks again.
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const each of Object.values(load)) each().catch(() => {});
    }, fetchAfterMs);
    return () => clearTimeout(timer);
  }, []);

  async function open(which: MoneyModal) {
    try {
      setModal({ Modal: await load[which]() });
    } catch (error) {
      logFailure('A form could not be loaded:', error);
      toastFailure('The form could not be loaded', 'Check your connection and try again.');
    }
  }

  return (
    <OpenModal value={open}>
      {children}
      {modal && <modal.Modal onClose={() => setModal(null)} />}
    </OpenModal>
  );
}
