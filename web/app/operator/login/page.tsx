import { pageMeta } from '../../brand.ts';
import { PageHead } from '../page-head.tsx';

export function meta() {
  return pageMeta('Operator sign-in', 'Operator console');
}

export default function Page() {
  return <PageHead title="Operator sign-in" />;
}
