import { pathOf } from '@tallystick/contract/call';
import { fetchsingleinvestment } from '@tallystick/contract/investment';
import { Plus } from 'lucide-react';
import { pageMeta } from '../../brand.ts';
import { csvOf, ExportLink } from '../../domain/lists/export-link.tsx';
import { PageHead } from '../../domain/page/page-head.tsx';
import { useSession } from '../../storage.ts';
import { Button } from '../../ui/actions/button.tsx';
import { usePhone } from '../../ui/phone.ts';
import { useOpenModal } from '../money/money-modals.tsx';
import { Investments, useInvestments } from './investments.tsx';
import { Sums, useSums } from './sums.tsx';

export const meta = () => pageMeta('Investments', 'What you invested, how far it is and what it pays.');

export default function InvestmentPage() {
  const userid = useSession()?._id ?? '';
  const view = useInvestments(userid);
  const sums = useSums();
  const counts = sums.data;
  const isPhone = usePhone();
  const open = useOpenModal();
  const csv = csvOf(pathOf(fetchsingleinvestment, { userid }), view.wishes);

  const addButton = (
    <Button
      look="primary"
      size={isPhone ? 'large' : 'medium'}
      className="max-tablet:w-full"
      onClick={() => open('invest')}
    >
      <Plus className="size-4" aria-hidden="true" />
      Add Investment
    </Button>
  );
  return (
    <>
      <PageHead
        title="Investments"
        note={counts ? `${counts.ongoing} ongoing, ${counts.completed} completed.` : ''}
        beside={isPhone ? <ExportLink href={csv} isIcon /> : addButton}
      />
      {isPhone && addButton}
      <Sums sums={sums} />
      <Investments view={view} counts={counts} exportLink={<ExportLink href={csv} />} addButton={addButton} />
    </>
  );
}
