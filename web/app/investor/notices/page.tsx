import { pageMeta } from '../../brand.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { BackToSettings } from '../frame/back-to-settings.tsx';
import { Letters } from './letters.tsx';
import { NoticeList } from './list.tsx';

export const meta = () => pageMeta('Notices', 'What happened in your account, and which letters you get.');

export default function Notices() {
  return (
    <>
      <BackToSettings />
      <PageHead
        title="Notices"
        note={
          <>
            What we told you in the last 400 days.{' '}
            {/* Where they stand beneath the list, they are far away. */}
            <a href="#letters" className="textlink whitespace-nowrap min-[901px]:hidden">
              Choose your letters
            </a>
          </>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3.5 min-[901px]:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] min-[901px]:gap-5">
        <NoticeList />
        <Letters />
      </div>
    </>
  );
}
