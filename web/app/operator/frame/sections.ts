import type { OperatorPath } from '@tallystick/contract/site';
import {
  BookOpen,
  ClipboardCheck,
  Layers,
  ListChecks,
  Mail,
  ScrollText,
  UsersRound,
  WalletCards,
} from 'lucide-react';
import { useLocation } from 'react-router';

export interface Section {
  name: string;
  path: OperatorPath;
  Icon: typeof Mail;
  /** Under the thumb on a phone; the others are behind its menu button. */
  isMain?: boolean;
}

export const sections: readonly Section[] = [
  { name: 'Queue', path: '/operator', Icon: ListChecks, isMain: true },
  { name: 'Investors', path: '/operator/investors', Icon: UsersRound, isMain: true },
  { name: 'Plans', path: '/operator/plans', Icon: Layers, isMain: true },
  { name: 'Methods', path: '/operator/methods', Icon: WalletCards },
  { name: 'Books', path: '/operator/books', Icon: BookOpen, isMain: true },
  { name: 'Audit', path: '/operator/audit', Icon: ScrollText },
  { name: 'Messages', path: '/operator/messages', Icon: Mail },
  { name: 'Checklist', path: '/operator/checklist', Icon: ClipboardCheck },
];

/** A single investor belongs to the investors; only the queue, whose address begins all others, must match whole. */
export function useCurrentSection(): (section: Section) => 'page' | undefined {
  const { pathname } = useLocation();
  return ({ path }) =>
    pathname === path || (path !== '/operator' && pathname.startsWith(`${path}/`)) ? 'page' : undefined;
}
