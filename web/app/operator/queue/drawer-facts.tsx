import { QuietNotice } from '../../ui/facts/notice.tsx';
import { type Fact, Facts } from '../lists/console-table.tsx';

/** What is known about the thing, above what is to be decided. */
export function DrawerFacts({ facts }: { facts: readonly Fact[] }) {
  return (
    <div className="[&_dd]:mt-0.5 [&_dd]:font-semibold [&_dl]:gap-y-3.5">
      <Facts facts={facts} />
    </div>
  );
}

/** While the drawer was open the thing has left the queue. The server says by whom when a button is pressed. */
export function Gone() {
  return (
    <QuietNotice role="status">
      This is no longer in the queue: it was added, decided or cancelled in the meantime.
    </QuietNotice>
  );
}
