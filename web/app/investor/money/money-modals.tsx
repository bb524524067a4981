import type { FundingRequest } from '@tallystick/contract/funding';
import { Activity, type ComponentType, createContext, type ReactNode, use, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { logFailure } from '../../log.ts';
import { toastFailure } from '../../ui/overlays/toast.tsx';
import { currentReach } from '../offline/reach.ts';

export type MoneyModal = 'fund' | 'invest' | 'withdraw';
type Modal = ComponentType<{ onClose: () => void }>;

interface Openers {
  open: (modal: MoneyModal) => void;
  /** Was asked for, and its code is on its way. */
  opening: MoneyModal | null;
  showPayment: (transactionid: string, known?: FundingRequest) => void;
}

const OpenersContext = createContext<Openers>({
  open: () => {},
  opening: null,
  showPayment: () => {},
});

/** Opens one of the three from any screen of the area. */
export function useOpenModal(): Openers['open'] {
  return use(OpenersContext).open;
}

/** The one that was pressed for and is not there yet: on a slow connection that takes a while. */
export function useOpeningModal(): Openers['opening'] {
  return use(OpenersContext).opening;
}

/** Shows once more how a request that waits is paid, and what came of it. */
export function useShowPayment(): Openers['showPayment'] {
  return use(OpenersContext).showPayment;
}

/** Forms, selects and the QR code are a good part of the area's code and none of what a screen first shows. */
const load: Record<MoneyModal, () => Promise<Modal>> = {
  fund: async () => (await import('./fund-modal.tsx')).FundModal,
  invest: async () => (await import('./invest-modal.tsx')).InvestModal,
  withdraw: async () => (await import('./withdraw-modal.tsx')).WithdrawModal,
};

const loadPayment = async () => (await import('./deposit.tsx')).DepositModal;

/** A pointer, a finger or a key: someone is there. */
const signs = ['pointerover', 'touchstart', 'keydown'];

/**
 * A modal that was opened stays, hidden, with all that was typed into it and whatever it has under way: closing it loses
 * nothing, and pressing again after it was closed in the middle of sending is still the same command. It goes with the
 * session.
 */
export function MoneyModals({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState<Partial<Record<MoneyModal, Modal>>>({});
  const [shown, setShown] = useState<MoneyModal | null>(null);
  const [opening, setOpening] = useState<MoneyModal | null>(null);
  const [payment, setPayment] = useState<ReactNode>(null);

  // Whoever follows a link in one of them wants to see where it leads.
  const { pathname } = useLocation();
  const [shownAt, setShownAt] = useState(pathname);
  if (shownAt !== pathname) {
    setShownAt(pathname);
    setShown(null);
  }

  // Fetched with the first sign of a hand, so that a press opens at once and a screen that is only looked at is not held
  // up. Whoever presses sooner, or after a failure, asks again.
  useEffect(() => {
    const fetchAll = () => {
      for (const each of [...Object.values(load), loadPayment]) each().catch(() => {});
    };
    for (const sign of signs) document.addEventListener(sign, fetchAll, { once: true, passive: true });
    return () => {
      for (const sign of signs) document.removeEventListener(sign, fetchAll);
    };
  }, []);

  const openers: Openers = {
    opening,
    open: async (which) => {
      if (currentReach() !== 'answers') {
        toastFailure('There is no connection', 'Money can be moved when it is back.');
        return;
      }
      setOpening(which);
      await orSay(async () => {
        const Modal = await load[which]();
        setOpened((before) => ({ ...before, [which]: Modal }));
        setShown(which);
      });
      setOpening(null);
    },
    showPayment: (transactionid, known) =>
      orSay(async () => {
        const DepositModal = await loadPayment();
        const onClose = () => setPayment(null);
        setPayment(<DepositModal transactionid={transactionid} known={known} onClose={onClose} />);
      }),
  };

  return (
    <OpenersContext value={openers}>
      {children}
      {Object.entries(opened).map(([which, Modal]) => (
        <Activity key={which} mode={which === shown ? 'visible' : 'hidden'}>
          <Modal onClose={() => setShown(null)} />
        </Activity>
      ))}
      {payment}
    </OpenersContext>
  );
}

/** What opens a form whose code is fetched first, or a toast where it does not come. */
export async function orSay(open: () => Promise<void>): Promise<void> {
  try {
    await open();
  } catch (error) {
    logFailure('A form could not be loaded:', error);
    toastFailure('The form could not be loaded', 'Check your connection and try again.');
  }
}
