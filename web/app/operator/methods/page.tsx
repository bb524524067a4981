import { pageMeta } from '../../brand.ts';
import { PageHead } from '../page-head.tsx';

export function meta() {
  return pageMeta('Methods', 'Operator console');
}

export default function Page() {
  return <PageHead title="Methods" />;
}
