import type { InvestorPath } from '@tallystick/contract/site';
import { ArrowLeftRight, House, Settings, TrendingUp } from 'lucide-react';
import { useLocation } from 'react-router';

export interface Section {
  name: string;
  path: InvestorPath;
  /** The phone's own screen of the same thing. */
  phonePath: InvestorPath;
  Icon: typeof House;
}

export const home: Section = { name: 'Home', path: '/dashboard', phonePath: '/dashboard', Icon: House };
export const investment: Section = {
  name: 'Investment',
  path: '/investment',
  phonePath: '/mobileinvestment',
  Icon: TrendingUp,
};
export const transaction: Section = {
  name: 'Transaction',
  path: '/transaction',
  phonePath: '/mobiletransaction',
  Icon: ArrowLeftRight,
};
export const settings: Section = {
  name: 'Settings',
  path: '/mobilesettings',
  phonePath: '/mobilesettings',
  Icon: Settings,
};

/** Tells which section is on the screen, by either of its addresses. */
export function useCurrentSection(): (section: Section) => 'page' | undefined {
  const { pathname } = useLocation();
  return ({ path, phonePath }) => (pathname === path || pathname === phonePath ? 'page' : undefined);
}
