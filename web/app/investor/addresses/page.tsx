import { savedAddressesMax } from '@tallystick/contract/addresses';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { pageMeta } from '../../brand.ts';
import { counted } from '../../domain/dates.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { BackToSettings } from '../frame/back-to-settings.tsx';
import { useMoneyOff } from '../offline/reach.ts';
import { AddAddress } from './add-address.tsx';
import { AddressList } from './address-list.tsx';
import { useAddressBook } from './book.ts';
import { Protection } from './protection.tsx';

export const meta = () =>
  pageMeta('Addresses', 'The addresses that your withdrawals go to, and whether they go nowhere else.');

export default function Addresses() {
  const { data, isError, refetch } = useAddressBook();
  const [isAdding, setIsAdding] = useState(false);
  const off = useMoneyOff();
  const count = data?.savedaddress.length ?? 0;
  const isFull = count >= savedAddressesMax;
  return (
    <>
      <BackToSettings />
      <PageHead title="Addresses" note={data ? noteOf(count) : ''}>
        {data && (
          <Button
            look="primary"
            className="max-tablet:w-full"
            disabled={isFull}
            onClick={() => setIsAdding(true)}
            {...off}
          >
            <Plus className="size-4" aria-hidden="true" />
            Add an address
          </Button>
        )}
      </PageHead>
      {data && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3.5 min-[901px]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] min-[901px]:gap-5">
          <AddressList addresses={data.savedaddress} protection={data.protection} />
          {/* On a phone it would come after fifty addresses, where nobody looks for it. */}
          <div className="max-[900px]:order-first">
            <Protection protection={data.protection} count={count} />
          </div>
        </div>
      )}
      {!data && isError && <Failed onRetry={refetch}>Your addresses could not be fetched.</Failed>}
      {!data && !isError && <Loading />}
      {data && isAdding && (
        <AddAddress isProtected={data.protection.state !== 'off'} onClose={() => setIsAdding(false)} />
      )}
    </>
  );
}

function noteOf(count: number): string {
  if (count === 0) return 'Save where your money goes once, and choose it by its name.';
  return count >= savedAddressesMax
    ? `${counted(count, 'address', 'addresses')}, which is the most. Remove one to add another.`
    : `${counted(count, 'address', 'addresses')} saved.`;
}

function Loading() {
  return (
    <Card aria-busy="true" aria-label="Saved addresses" className="p-5 tablet:p-7">
      <p className="sr-only">Loading</p>
      <Skeleton className="h-4 w-2/5" />
      <Skeleton className="mt-3 h-3 w-4/5" />
      <Skeleton className="mt-10 h-11 w-32" />
    </Card>
  );
}
