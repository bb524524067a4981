import { pageMeta } from '../../brand.ts';
import { PageHead } from '../page-head.tsx';

export function meta() {
  return pageMeta('Investor', 'Operator console');
}

export default function Page() {
  return <PageHead title="Investor" />;
}
