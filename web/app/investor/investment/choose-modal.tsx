import {
  choosematurity,
  type Investment,
  type MaturityChoice,
  type MaturityOffer,
  maturityterms,
} from '@tallystick/contract/investment';
import { formatUsd } from '@tallystick/contract/money';
import { useState } from 'react';
import { ApiRefusal } from '../../api.ts';
import { dayOf, longDayOf, timeOf } from '../../domain/dates.ts';
import { EffectBox, FinePrint } from '../../domain/forms/form-notes.tsx';
import { useLive } from '../../domain/live.ts';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { reasonOf, useMoneyCommand } from '../../domain/money/money-command.ts';
import { useNow } from '../../domain/now.ts';
import { planRiskLine } from '../../domain/plans/plan-offer.ts';
import { useSession } from '../../storage.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { RadioRows } from '../../ui/forms/radio-rows.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { choiceNames } from './maturity-words.ts';

interface ChooseProps {
  investment: Investment;
  onClose: () => void;
}

export function ChooseModal({ investment, onClose }: ChooseProps) {
  const { planname, maturesat } = investment;
  const note = `${planname}, matures ${dayOf(maturesat)}, ${timeOf(maturesat)}`;
  return (
    <Modal onClose={onClose}>
      <ModalHead note={note}>At maturity</ModalHead>
      <ModalBody>
        <div className="pt-2">
          <Terms investment={investment} onClose={onClose} />
        </div>
      </ModalBody>
    </Modal>
  );
}

/** The terms of this moment: on their way, not to be had, closed meanwhile, or there. */
function Terms({ investment, onClose }: ChooseProps) {
  const params = { investmentid: investment._id };
  const { data, isError, refetch } = useLive(maturityterms, { params }, 'Error fetching terms:');
  const now = useNow();
  const { closesat } = investment.maturity;
  if (now.getTime() >= Date.parse(closesat)) {
    return (
      <QuietNotice role="status">
        This could be chosen until {longDayOf(closesat)}, {timeOf(closesat)}, an hour before it matures.
      </QuietNotice>
    );
  }
  if (data)
    return (
      <ChooseForm
        investment={investment}
        offers={data.offers}
        tellsat={data.tellsat}
        onChanged={refetch}
        onClose={onClose}
      />
    );
  if (isError)
    return <Failed onRetry={refetch}>The terms could not be fetched. Your choice has not changed.</Failed>;
  return (
    <div aria-busy="true" className="grid gap-2">
      <p className="sr-only">Loading</p>
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
    </div>
  );
}

interface ChooseFormProps extends ChooseProps {
  offers: readonly MaturityOffer[];
  tellsat: string;
  /** The terms are others by now. */
  onChanged: () => void;
}

function ChooseForm({ investment, offers, tellsat, onChanged, onClose }: ChooseFormProps) {
  const [picked, setPicked] = useState<MaturityChoice>(investment.maturity.choice);
  const [reason, setReason] = useState<string | null>(null);
  const { busy, send } = useMoneyCommand(choosematurity);
  const userid = useSession()?._id ?? '';
  // What cannot be had at the moment is not what the button sends, whatever was picked before.
  const offer = offers.find(({ choice, terms }) => choice === picked && terms !== null);
  const chosen = offer ? picked : 'wallet';
  const terms = offer?.terms;
  const isTellingNow = useNow().getTime() >= Date.parse(tellsat);

  function submit() {
    setReason(null);
    const shown = terms ? { planid: terms.planid, amount: terms.amount } : {};
    return send(
      { body: { userid, investmentid: investment._id, choice: chosen, ...shown } },
      {
        onDone() {
          toastSuccess('Your choice is kept', `At maturity: ${choiceNames[chosen].toLowerCase()}.`);
          onClose();
        },
        onFailed(error) {
          setReason(reasonOf(error));
          if (error instanceof ApiRefusal && error.code === 'terms_changed') onChanged();
        },
      },
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-4.5"
    >
      <RadioRows
        legend="When it matures"
        choices={rowsOf(investment, offers)}
        chosen={chosen}
        onChoose={setPicked}
      />
      <Effect investment={investment} offer={offer} />
      {terms && (
        <QuietNotice>
          {isTellingNow
            ? 'It is invested again on exactly these terms. If the plan is not offered on them any more by then, everything is paid to your wallet, and a letter says why.'
            : `These are the terms of today. A letter tells you on ${longDayOf(tellsat)} what the plan offers then, and it is invested again on that alone. Until an hour before the end you can choose otherwise.`}
        </QuietNotice>
      )}
      {reason && <QuietNotice role="alert">{reason}</QuietNotice>}
      <SubmitButton busy={busy} busyLabel="Sending">
        {terms ? `Invest ${usd(terms.amount)} again` : 'Pay to my wallet'}
      </SubmitButton>
      <FinePrint>{planRiskLine}</FinePrint>
    </form>
  );
}

const rowNames: Record<MaturityOffer['choice'], string> = {
  principal: 'Invest the principal again',
  everything: 'Invest everything again',
};

const dueOf = ({ investinvestmemntamount, profit }: Investment) =>
  formatUsd(centsOf(investinvestmemntamount) + centsOf(profit));

function rowsOf(investment: Investment, offers: readonly MaturityOffer[]) {
  return [
    { value: 'wallet' as const, name: 'Pay to my wallet', hint: `${dueOf(investment)} with the profit` },
    ...offers.map(({ choice, terms, reason }) => ({
      value: choice,
      name: rowNames[choice],
      hint: terms ? `${usd(terms.amount)} in ${terms.planname}` : (reason ?? ''),
      disabled: terms === null,
    })),
  ];
}

/** What it comes to, to the cent, before the button is pressed. */
function Effect({ investment, offer }: { investment: Investment; offer: MaturityOffer | undefined }) {
  const terms = offer?.terms;
  if (!offer || !terms) {
    const day = `${dayOf(investment.maturesat)}, ${timeOf(investment.maturesat)}`;
    return (
      <EffectBox
        rows={[
          { name: 'To your wallet', value: dueOf(investment) },
          { name: 'On', value: day },
        ]}
      />
    );
  }
  return (
    <EffectBox
      rows={[
        { name: 'Invested again', value: usd(terms.amount) },
        { name: 'Plan', value: `${terms.planname}, ${terms.duration} days, ROI ${terms.roi}%` },
        { name: 'Profit', value: usd(terms.profit) },
        { name: 'You receive', value: formatUsd(centsOf(terms.amount) + centsOf(terms.profit)) },
        { name: 'Begins', value: `${dayOf(investment.maturesat)}, ${timeOf(investment.maturesat)}` },
        { name: 'To your wallet at maturity', value: usd(offer.towallet) },
      ]}
    />
  );
}
