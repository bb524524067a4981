import { KeyRound, Landmark, Layers, type LucideIcon, Scale, Wallet } from 'lucide-react';
import { usd } from '../../../domain/money/amount.ts';
import { shortAddress } from '../../../domain/money/short-address.ts';
import { useNow } from '../../../domain/now.ts';
import { RowIcon } from '../../../ui/layout/card.tsx';
import { Small } from '../../../ui/lists/table.tsx';
import { boundsChanges, termsText } from '../../facts/wording.ts';
import { useWho } from '../../frame/who.ts';
import type { OnOpen, ProposalItem } from '../item.ts';
import { RowButtons, rowOf, Section } from '../queue-row.tsx';
import { waitingText } from '../wording.ts';

/** What one operator asked for and another must agree to: addresses, corrections, removals of factors, plans, other bounds. */
export function Proposals({ items, onOpen }: { items: readonly ProposalItem[]; onOpen: OnOpen }) {
  return (
    <Section title="Waiting for a second operator">
      <ul>
        {items.map((item) => (
          <Proposal key={item.key} item={item} onOpen={onOpen} />
        ))}
      </ul>
    </Section>
  );
}

function Proposal({ item, onOpen }: { item: ProposalItem; onOpen: OnOpen }) {
  const now = useNow();
  const isOwn = useWho().operator._id === item.of.askedbyid;
  const { Icon, title, text } = describe(item);
  return (
    <li
      {...rowOf(
        item.key,
        'grid grid-cols-[36px_minmax(0,1fr)] items-center gap-x-4 gap-y-3.5 border-t border-line px-5 py-4 hover:bg-sunken tablet:grid-cols-[36px_minmax(0,1fr)_auto] tablet:px-6 tablet:py-3',
      )}
    >
      <RowIcon Icon={Icon} />
      <div className="min-w-0 text-control/5 tabular-nums">
        <b className="font-semibold">{title}</b>
        <p className="mt-0.5 wrap-anywhere text-2">{text}</p>
        <Small className="mt-0.5">
          {`Asked by ${isOwn ? 'you' : item.of.askedby}, waiting ${waitingText(item.of.askedat, now)}.`}
          {isOwn && ' Another operator must confirm it.'}
        </Small>
      </div>
      <div className="col-span-full tablet:col-auto">
        <RowButtons
          about={title}
          no={{ label: 'Discard', onClick: () => onOpen(item, 'reject') }}
          yes={{ label: 'Confirm', isOff: isOwn, onClick: () => onOpen(item, 'review') }}
        />
      </div>
    </li>
  );
}

/** What would change, in one line. */
function describe(item: ProposalItem): { Icon: LucideIcon; title: string; text: string } {
  switch (item.kind) {
    case 'address': {
      const { paymentname, from, frompath, to, path } = item.of;
      const next = path ?? shortAddress(to);
      const thing = path === null ? 'address' : 'key';
      return from === null
        ? {
            Icon: Wallet,
            title: `New payment method ${paymentname}`,
            text: `${path === null ? 'Address' : 'Addresses of the key'} ${next}`,
          }
        : {
            Icon: Wallet,
            title: `New ${thing} for ${paymentname}`,
            text: `${frompath ?? shortAddress(from)} becomes ${path === null ? next : `the key ${next}`}`,
          };
    }
    case 'correction': {
      const { investor, amount, reason } = item.of;
      const change = amount < 0 ? `${usd(-amount)} less` : `${usd(amount)} more`;
      return { Icon: Scale, title: `Correction for ${investor.fullname}`, text: `${change}. ${reason}` };
    }
    case 'factors': {
      const { investor, reason } = item.of;
      const title = `Remove the second factors of ${investor.fullname}`;
      return { Icon: KeyRound, title, text: reason };
    }
    case 'bounds': {
      const changes = boundsChanges(item.of).map(({ name, from, to }) => `${name}, ${from} becomes ${to}`);
      return { Icon: Landmark, title: 'Other bounds of what one may do alone', text: changes.join('; ') };
    }
    case 'plan': {
      const { planname, replaces, because } = item.of;
      const title = replaces === null ? `New plan ${planname}` : `New version of ${planname}`;
      return { Icon: Layers, title, text: `${termsText(item.of)}. ${because.join('; ')}` };
    }
  }
}
