import {
  chooseletters,
  type LetterChoice,
  letterchoices,
  type SwitchableTopic,
} from '@tallystick/contract/notices';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../api.ts';
import { failureDetail } from '../../domain/forms/submission.tsx';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { topicNames } from '../../domain/topics.ts';
import { logFailure } from '../../log.ts';
import { Switch } from '../../ui/forms/switch.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { toastFailure } from '../../ui/overlays/toast.tsx';
import { useIsAway } from '../offline/reach.ts';
import { topicTexts } from './wording.ts';

/** What is told by letter, too, and what of it one may do without. */
export function Letters() {
  const query = useLive(letterchoices, {}, 'Error fetching the choice of letters:');
  return (
    <Card aria-labelledby="letters">
      <div className="border-b border-line px-5 pt-5 pb-3 tablet:px-7 tablet:pt-6 tablet:pb-3.5">
        <h2 id="letters" className="scroll-mt-24 text-body/5.5 tracking-[-0.01em]">
          Letters
        </h2>
        <p className="mt-1 text-label text-2">
          What we write to you by e-mail. Without a letter it still stands in the list.
        </p>
      </div>
      <LiveList
        query={query}
        tellsAge={false}
        rows={query.data?.choices}
        ifFailed="Your choice of letters could not be fetched."
        skeleton={{ height: 'h-20' }}
        empty={null}
        phone={(choices) => (
          <ul>
            {choices.map((choice) => (
              <Choice key={choice.topic} {...choice} />
            ))}
          </ul>
        )}
      />
    </Card>
  );
}

function Choice({ topic, letters }: LetterChoice) {
  const { busy, choose } = useChoice();
  const isAway = useIsAway();
  const name = topicNames[topic];
  return (
    <li className="flex items-center justify-between gap-4 border-line px-5 py-3 not-first:border-t tablet:px-7">
      <div className="min-w-0">
        <b className="block text-control/5 font-label">{name}</b>
        <span className="mt-0.5 block text-caption text-pretty text-3">{topicTexts[topic]}</span>
      </div>
      {letters === 'always' ? (
        <span className="w-20.5 shrink-0 text-control text-2">Always</span>
      ) : (
        <Switch
          label={`Letters about ${name.toLowerCase()}`}
          isOn={letters === 'on'}
          busy={busy}
          disabled={isAway}
          onPress={() => choose(topic as SwitchableTopic, letters === 'off')}
        />
      )}
    </li>
  );
}

function useChoice() {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);

  async function choose(topic: SwitchableTopic, on: boolean): Promise<void> {
    setBusy(true);
    try {
      const answer = await callApi(chooseletters, { body: { topic, on } });
      queries.setQueryData([letterchoices.path, {}], answer);
    } catch (error) {
      logFailure('Error choosing letters:', error);
      toastFailure('Your choice was not saved', failureDetail(error));
    }
    setBusy(false);
  }

  return { busy, choose };
}
