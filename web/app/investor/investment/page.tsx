import { pathOf } from '@tallystick/contract/call';
import { fetchsingleinvestment } from '@tallystick/contract/investment';
import { Plus } from 'lucide-react';
import { pageMeta } from '../../brand.ts';
import { ExportLink } from '../../domain/export-link.tsx';
import { PageHead } from '../../domain/page-head.tsx';
import { useSession } from '../../storage.ts';
import { Button } from '../../ui/button.tsx';
import { usePhone } from '../../ui/phone.ts';
import { useOpenModal } from '../money-modals.tsx';
import { Investments } from './investments.tsx';
import { Sums, useCounts } from './sums.tsx';

export function meta() {
  return pageMeta('Investments', 'What you invested, how far it is and what it pays.');
}

export default function InvestmentPage() {
  const userid = useSession()?._id ?? '';
  const counts = useCounts(userid);
  const isPhone = usePhone();
  const open = useOpenModal();
  const csv = `${pathOf(fetchsingleinvestment, { userid })}/export.csv`;

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
      >
        {isPhone ? <ExportLink href={csv} isIcon /> : addButton}
      </PageHead>
      {isPhone && addButton}
      <Sums userid={userid} counts={counts} />
      <Investments
        userid={userid}
        counts={counts}
        exportLink={<ExportLink href={csv} />}
        addButton={addButton}
      />
    </>
  );
}
