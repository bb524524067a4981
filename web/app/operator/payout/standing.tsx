import { networks } from '@tallystick/contract/networks';
import {
  claimsheet,
  discardsheet,
  keepsheet,
  type PayoutSheet,
  releasesheet,
} from '@tallystick/contract/operator/payouts';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { Button } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { leftText } from '../facts/sheets.ts';
import { useAct } from '../forms/act.ts';
import { ReasonModal } from '../forms/form-modal.tsx';
import { useWho } from '../frame/who.ts';

/** For what runs out while somebody looks. */
const secondMs = 1_000;

interface StandingProps {
  sheet: PayoutSheet;
  /** False: nobody but an operator says what was paid. */
  isWatched: boolean;
}

/** Where the sheet stands, and what can be done about it. */
export function SheetStanding({ sheet, isWatched }: StandingProps) {
  if (sheet.state === 'made') return <Made sheet={sheet} />;
  if (sheet.state === 'claimed') return <Claimed sheet={sheet} isWatched={isWatched} />;
  return <Ended sheet={sheet} />;
}

interface FrameProps {
  title: ReactNode;
  text: ReactNode;
  /** The buttons. */
  children?: ReactNode;
}

function Frame({ title, text, children }: FrameProps) {
  return (
    <Card
      aria-label="Where it stands"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3.5 px-5 py-4.5 tablet:px-6"
    >
      <div className="min-w-0 flex-1 basis-72 tabular-nums">
        <h2 className="text-body tracking-[-0.01em]">{title}</h2>
        <div className="mt-0.5 grid gap-1 text-label text-2">{text}</div>
      </div>
      {children && (
        <div className="flex flex-wrap gap-2.5 max-tablet:w-full max-tablet:*:flex-1">{children}</div>
      )}
    </Card>
  );
}

function Made({ sheet }: { sheet: PayoutSheet }) {
  const now = useNow(secondMs);
  const navigate = useNavigate();
  const claiming = useAct(claimsheet);
  const discarding = useAct(discardsheet);
  const params = { id: sheet._id };
  const busy = claiming.busy || discarding.busy;
  const left = sheet.expiresat ? leftText(sheet.expiresat, now) : null;
  return (
    <Frame
      title={
        <>
          Nobody has claimed it
          {left && (
            <>
              . It expires in <span className="tabular-nums">{left}</span>
            </>
          )}
        </>
      }
      text={
        <p>
          Claim it before anything is sent: from then on it is yours to pay and does not expire, and what a
          wallet needs is shown. If nobody does, its withdrawals wait again.
        </p>
      }
    >
      <Button
        busy={busy}
        onClick={() =>
          discarding.act(
            { params },
            { done: `Sheet ${sheet.number} is discarded`, onDone: () => void navigate('/operator/payouts') },
          )
        }
      >
        Discard
      </Button>
      <Button
        look="primary"
        busy={busy}
        onClick={() => claiming.act({ params }, { done: `Sheet ${sheet.number} is yours to pay` })}
      >
        {claiming.busy && <Spinner />}
        Claim it
      </Button>
    </Frame>
  );
}

function Claimed({ sheet, isWatched }: StandingProps) {
  const { operator } = useWho();
  const [isReleasing, setReleasing] = useState(false);
  const { claimed, firstreleased: first } = sheet;
  const isOwn = first?.operator === operator._id;
  const who = claimed && (claimed.operator === operator._id ? 'You' : claimed.name);
  return (
    <>
      <Frame
        title={claimed ? `${who} claimed it, ${dayOf(claimed.at)}, ${timeOf(claimed.at)}` : 'It is claimed'}
        text={<HowPaid isWatched={isWatched} network={sheet.network} />}
      >
        <Button onClick={() => setReleasing(true)} disabled={isOwn}>
          {first ? 'Release it, too' : 'Release'}
        </Button>
      </Frame>
      {first && <FirstReleased sheet={sheet} first={first} isOwn={isOwn} />}
      {isReleasing && <Release sheet={sheet} onClose={() => setReleasing(false)} />}
    </>
  );
}

function HowPaid({ isWatched, network }: { isWatched: boolean; network: PayoutSheet['network'] }) {
  if (isWatched) {
    return (
      <p>
        It does not expire. What {networks[network].name} shows of it is marked as paid by itself, each
        withdrawal once its payment is confirmed.
      </p>
    );
  }
  return (
    <p>
      It does not expire. {networks[network].name} is not read here: once it is sent, mark each as paid in the{' '}
      <TextLink to="/operator?show=withdrawals">queue</TextLink>, with its transaction ID.
    </p>
  );
}

interface FirstReleasedProps {
  sheet: PayoutSheet;
  first: NonNullable<PayoutSheet['firstreleased']>;
  isOwn: boolean;
}

function FirstReleased({ sheet, first, isOwn }: FirstReleasedProps) {
  const { busy, act } = useAct(keepsheet);
  return (
    <QuietNotice role="status">
      <p>
        <b className="font-semibold text-1">
          {isOwn ? 'You say' : `${first.name} says`} that it was not paid. It needs a second operator.
        </b>{' '}
        {first.reason}
      </p>
      <p className="text-3">
        {dayOf(first.at)}, {timeOf(first.at)}
      </p>
      <Button
        size="small"
        className="mt-2"
        busy={busy}
        onClick={() => act({ params: { id: sheet._id } }, { done: `Sheet ${sheet.number} stays claimed` })}
      >
        {isOwn ? 'Take it back' : 'Keep the sheet'}
      </Button>
    </QuietNotice>
  );
}

/** The one thing that can pay twice: two operators have to say that nothing was sent. */
function Release({ sheet, onClose }: { sheet: PayoutSheet; onClose: () => void }) {
  const isBitcoin = sheet.transaction !== null;
  return (
    <ReasonModal
      title={`Release sheet ${sheet.number}`}
      call={releasesheet}
      inputOf={(reason) => ({ params: { id: sheet._id }, body: { reason } })}
      done={({ state }) =>
        state === 'released'
          ? `Sheet ${sheet.number} is released, and its withdrawals wait again`
          : 'Noted. A second operator has to release it, too'
      }
      onClose={onClose}
    >
      <p>
        Two operators say that nothing of it was sent. Then its withdrawals wait again and can be put on
        another sheet.
      </p>
      <p className="mt-2">
        {isBitcoin
          ? 'A new sheet spends one of its coins again, so that only one of both can confirm.'
          : `${networks[sheet.network].name} cannot rule out that both are paid. Look into the wallet first, and at what it has not sent yet.`}
      </p>
    </ReasonModal>
  );
}

function Ended({ sheet }: { sheet: PayoutSheet }) {
  if (sheet.state === 'paid') {
    return <Frame title="It is paid" text={<p>None of its withdrawals is left to be paid.</p>} />;
  }
  if (sheet.state === 'expired') {
    return (
      <Frame
        title="Nobody claimed it"
        text={
          <p>
            It expired, or was discarded. Nothing may be sent by it; its withdrawals wait again under{' '}
            <TextLink to="/operator/payouts">Payouts</TextLink>.
          </p>
        }
      />
    );
  }
  const { firstreleased: first, released } = sheet;
  return (
    <Frame
      title={
        first && released
          ? `Released by ${first.name} and ${released.name}, ${dayOf(released.at)}, ${timeOf(released.at)}`
          : 'It was released'
      }
      text={
        <>
          {first && <p>{first.reason}</p>}
          <p>
            Do not send anything by it any more. If something of it confirms all the same, it is marked as
            paid.
          </p>
        </>
      }
    />
  );
}
