import { operatorPageSize } from '@tallystick/contract/operator/fields';
import {
  type ContactMessage,
  handlemessage,
  type MessagesShown,
  messages,
} from '@tallystick/contract/operator/messages';
import { Check, Reply } from 'lucide-react';
import { brand, pageMeta } from '../../brand.ts';
import { agoOf, counted, dayOf, timeOf } from '../../domain/dates.ts';
import { useListAddress } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { ListPager } from '../../domain/lists/list-tools.tsx';
import { useLive } from '../../domain/live.ts';
import { useNow } from '../../domain/now.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { Segments } from '../../ui/lists/filter.tsx';
import { useAct } from '../forms/act.ts';
import { replyAddress } from './reply.ts';

export const meta = () => pageMeta('Messages', 'What people wrote through the contact form.');

export default function MessagesPage() {
  const { params, change, page } = useListAddress();
  const show: MessagesShown = params.get('show') === 'all' ? 'all' : 'open';
  const list = useLive(messages, { query: { page: String(page), show } }, 'Error fetching messages:');
  const { data } = list;
  return (
    <>
      <PageHead title="Messages" note={data && openSentence(data.open)}>
        <Segments<MessagesShown>
          label="Show"
          choices={[
            { value: 'open', name: 'Open', count: data?.open ?? null },
            { value: 'all', name: 'All' },
          ]}
          value={show}
          onChoose={(next) => change({ show: next === 'all' ? 'all' : '', page: '' })}
          className="max-tablet:w-full"
        />
      </PageHead>
      <Card aria-label="Messages">
        <LiveList
          query={list}
          rows={data?.messages}
          ifFailed="The messages could not be fetched."
          skeleton={{ height: 'h-24' }}
          empty={<NoMessages show={show} />}
          phone={(rows) => (
            <ul>
              {rows.map((message) => (
                <Message key={message._id} message={message} />
              ))}
            </ul>
          )}
        />
        <ListPager isForMany label="Messages, pages" query={list} size={operatorPageSize} />
      </Card>
    </>
  );
}

function openSentence(open: number): string {
  return open === 0 ? 'None is open.' : `${counted(open, 'message')} not answered yet.`;
}

function NoMessages({ show }: { show: MessagesShown }) {
  return show === 'open' ? (
    <Empty
      title="No open messages"
      text="What people write through the contact form appears here by itself."
    />
  ) : (
    <Empty title="No messages yet" text="What people write through the contact form will stand here." />
  );
}

function Message({ message }: { message: ContactMessage }) {
  const { name, email, message: text, receivedat, handled } = message;
  const now = useNow();
  return (
    <li className="grid gap-3 border-line px-5 py-4.5 not-first:border-t tablet:px-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5">
        <p className="min-w-0 wrap-anywhere">
          <b className="font-semibold">{name}</b> <span className="text-label text-2">{email}</span>
        </p>
        <time dateTime={receivedat} className="text-caption text-3 tabular-nums">
          {`${agoOf(receivedat, now)}, ${timeOf(receivedat)}`}
        </time>
      </div>
      <p className="max-w-[72ch] text-control whitespace-pre-line wrap-anywhere">{text}</p>
      <div className="flex flex-wrap items-center gap-2">
        <a
          href={replyAddress(message, brand.name)}
          className="inline-flex min-h-11 items-center gap-2 rounded-control bg-accent-tint px-3.5 text-label font-semibold text-accent-text hover:bg-accent-tint-2"
        >
          <Reply className="size-4" aria-hidden="true" />
          Reply by e-mail
        </a>
        {handled ? (
          <Chip look="done">{`Handled by ${handled.by}, ${dayOf(handled.at)}`}</Chip>
        ) : (
          <MarkHandled id={message._id} from={name} />
        )}
      </div>
    </li>
  );
}

function MarkHandled({ id, from }: { id: string; from: string }) {
  const { busy, act } = useAct(handlemessage);
  return (
    <Button
      look="quiet"
      busy={busy}
      aria-label={`Mark handled, message of ${from}`}
      onClick={() => act({ params: { id } }, { done: `The message of ${from} is marked handled` })}
      className="px-3.5! text-label!"
    >
      <Check className="size-4" aria-hidden="true" />
      Mark handled
    </Button>
  );
}
