import type { Context } from './context.ts';
import { sendMailTask } from './modules/mail/service.ts';
import { addOwnFigures } from './platform/metrics/own-figures.ts';
import { countJobs, type JobCount, jobStates } from './platform/work/job-counts.ts';
import { tellTask } from './telling.ts';

function addMoney({ metrics: { figures }, ledger, investment, withdrawal }: Context): void {
  figures.add({
    name: 'ledger',
    ask: ledger.health,
    figures: [
      {
        name: 'tallystick_ledger_check_seconds',
        help: 'How long ago the books were last checked. NaN means that they never were.',
        of: ({ secondsSinceCheck }) => secondsSinceCheck,
      },
      {
        name: 'tallystick_ledger_check_findings',
        help: 'What that check found wrong, 100 at most: more than 0 means that the books do not agree.',
        of: ({ findings }) => findings,
      },
      {
        name: 'tallystick_ledger_frozen',
        help: '1 when all withdrawals are frozen because the books did not agree.',
        of: ({ isFrozen }) => (isFrozen ? 1 : 0),
      },
    ],
  });
  figures.add({
    name: 'investment',
    ask: investment.health,
    figures: [
      {
        name: 'tallystick_overdue_investments',
        help: 'Investments that have matured and are not paid yet, 10,000 at most.',
        of: ({ count }) => count,
      },
      {
        name: 'tallystick_overdue_investment_seconds',
        help: 'How long ago the oldest of them matured. More than two minutes means that settlement stands still.',
        of: ({ oldestSeconds }) => oldestSeconds,
      },
    ],
  });
  figures.add({
    name: 'withdrawal',
    ask: withdrawal.health,
    figures: [
      {
        name: 'tallystick_frozen_investors',
        help: 'Investors whose own withdrawals are frozen.',
        of: ({ frozenInvestors }) => frozenInvestors,
      },
    ],
  });
}

const tasks = [sendMailTask, tellTask];

/** Of every task and state there is a figure, also where there is no job. */
function ofEachState(counts: JobCount[], of: (count: JobCount | undefined) => number) {
  const all = new Set([...tasks, ...counts.map(({ task }) => task)]);
  return [...all].flatMap((task) =>
    jobStates.map((state) => {
      const found = counts.find((each) => each.task === task && each.state === state);
      return [{ task, state }, of(found)] as const;
    }),
  );
}

function addJobs({ metrics: { figures, jobs }, owner, config }: Context): void {
  // A counter that begins with its first event hides it: nothing has grown. Where none is run, none stands still.
  const run = config.role === 'web' ? [] : tasks;
  for (const task of run) for (const outcome of ['done', 'failed']) jobs.inc({ task, outcome }, 0);
  const waiting = (counts: JobCount[]) =>
    counts.filter(({ task, state }) => task === sendMailTask && state !== 'given_up');
  figures.add({
    name: 'jobs',
    ask: () => countJobs(owner),
    figures: [
      {
        name: 'tallystick_jobs',
        help: 'Jobs by task and state: due, later (to be tried again), locked (a worker has it) or given_up.',
        labels: ['task', 'state'],
        of: (counts) => ofEachState(counts, (found) => found?.count ?? 0),
      },
      {
        name: 'tallystick_job_oldest_seconds',
        help: 'How long the oldest of them has been so: due or locked; of the others, how long it has been there.',
        labels: ['task', 'state'],
        of: (counts) => ofEachState(counts, (found) => found?.seconds ?? 0),
      },
      {
        name: 'tallystick_mail_waiting',
        help: 'Letters that are queued and not sent.',
        of: (counts) => waiting(counts).reduce((sum, { count }) => sum + count, 0),
      },
      {
        name: 'tallystick_mail_oldest_seconds',
        help: 'How long ago the oldest of them was queued.',
        of: (counts) => Math.max(0, ...waiting(counts).map(({ queuedSeconds }) => queuedSeconds)),
      },
    ],
  });
}

function addOutside({ metrics: { figures }, prices, networks, log }: Context): void {
  figures.add({
    name: 'prices',
    ask: prices.health,
    figures: [
      {
        name: 'tallystick_price_age_seconds',
        help: 'How old the price of a coin is, as this server knows it. NaN means that there is none, or a sample.',
        labels: ['coin'],
        of: (prices) => prices.map(({ coin, ageSeconds }) => [{ coin }, ageSeconds]),
      },
    ],
  });
  figures.add({
    name: 'networks',
    ask: () => networks.health(),
    figures: [
      {
        name: 'tallystick_network_height',
        help: 'The last block of a network that was read.',
        labels: ['network'],
        of: (chains) =>
          chains.flatMap(({ network, height }) => (height === null ? [] : [[{ network }, height] as const])),
      },
      {
        name: 'tallystick_network_tip',
        help: 'The last block that a network’s node knew of.',
        labels: ['network'],
        of: (chains) =>
          chains.flatMap(({ network, tip }) => (tip === null ? [] : [[{ network }, tip] as const])),
      },
      {
        name: 'tallystick_network_state',
        help: '1 for the state that a network is in: following, behind, away, wrong-chain or nonsense.',
        labels: ['network', 'state'],
        of: (chains) => chains.map(({ network, state }) => [{ network, state }, 1]),
      },
      {
        name: 'tallystick_network_last_look_seconds',
        help: 'How long ago a network was last looked at, whatever came of it. Minutes mean that nobody does.',
        labels: ['network'],
        of: (chains) => chains.map(({ network, secondsSinceLook }) => [{ network }, secondsSinceLook]),
      },
    ],
  });
  figures.add({
    name: 'log',
    ask: () => log.health(),
    figures: [
      {
        name: 'tallystick_log_size',
        help: 'How many entries of the public log have their place.',
        of: ({ size }) => size,
      },
      {
        name: 'tallystick_log_signed_seconds',
        help: 'How long ago the newest checkpoint of the public log was signed.',
        of: ({ secondsSinceSigned }) => secondsSinceSigned,
      },
      {
        name: 'tallystick_log_stopped',
        help: '1 when the public log is not the one that was signed, so that nothing more is signed: look into it at once.',
        of: ({ isStopped }) => (isStopped ? 1 : 0),
      },
    ],
  });
}

/** Every figure that is looked up when it is asked for is named here, with the part that knows it; none is anyone's own. */
export function addFigures(context: Context): void {
  addOwnFigures(context.metrics.figures, context);
  addMoney(context);
  addJobs(context);
  addOutside(context);
}
