import { pageMeta } from '../../brand.ts';
import { WelcomeBanner } from '../welcome-banner.tsx';

export function meta() {
  return pageMeta('Not open yet', 'This screen is not open yet.');
}

export default function NotOpen() {
  return <WelcomeBanner>This screen is not open yet.</WelcomeBanner>;
}
