import { pageMeta } from '../../brand.ts';
import { WelcomeBanner } from '../welcome-banner.tsx';

export function meta() {
  return pageMeta('Dashboard', 'Your half of the record.');
}

export default function Dashboard() {
  return <WelcomeBanner>You are signed in. Your balance and your plans will stand here.</WelcomeBanner>;
}
