import type { FactorRemoval } from '@tallystick/contract/operator/investors';
import { proposefactorremoval } from '@tallystick/contract/operator/investors';
import { factorremovals } from '@tallystick/contract/operator/queue';
import { removalWaitDays } from '@tallystick/contract/removals';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { Button } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { leaveFocus } from '../../ui/forms/first-focus.ts';
import { useAct } from '../forms/act.ts';
import { ReasonModal } from '../forms/form-modal.tsx';

interface RemoveFactorsProps {
  id: string;
  name: string;
  onClose: () => void;
}

/** For an investor who has lost every factor and every recovery code, and for nobody else. */
export function RemoveFactors({ id, name, onClose }: RemoveFactorsProps) {
  return (
    <ReasonModal
      title="Ask for the removal"
      call={proposefactorremoval}
      inputOf={(reason) => ({ params: { id }, body: { reason } })}
      done="The removal waits for a second operator"
      hint={`It stands in the audit log, and in what ${name} can download.`}
      onClose={onClose}
    >
      {`Only when ${name} has lost every second factor and every recovery code. A second operator must agree; then ${name} is told by letter and has ${removalWaitDays} days to stop it. Write down how you found out that it is really ${name}: an e-mail alone is no proof.`}
    </ReasonModal>
  );
}

/** What is under way, and the way to end it. */
export function RemovalNotice({ removal, name }: { removal: FactorRemoval; name: string }) {
  const { busy, act } = useAct(factorremovals.discard);
  const { _id, reason, askedby, askedat, agreedby, dueat } = removal;
  const discard = () => act({ params: { id: _id } }, { done: `The second factors of ${name} stay` });
  return (
    <QuietNotice>
      {dueat === null ? (
        <p>
          <b className="font-semibold text-1">The removal of all second factors</b> waits for a second
          operator in the <TextLink to="/operator">queue</TextLink>.
        </p>
      ) : (
        <p>
          <b className="font-semibold text-1">All second factors will be removed</b> on {dayOf(dueat)},{' '}
          {timeOf(dueat)}, unless {name} stops it or signs in with one of them.
        </p>
      )}
      <p>{reason}</p>
      <p className="text-3">
        Asked for by {askedby}, {dayOf(askedat)}, {timeOf(askedat)}
        {agreedby !== null && `, agreed to by ${agreedby}`}
      </p>
      <Button ref={leaveFocus} size="small" className="mt-2" busy={busy} onClick={discard}>
        Discard the removal
      </Button>
    </QuietNotice>
  );
}
