import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { howToInstall, missingPackages, whereIs } from '../../ops/cluster/programs.ts';
import { refuse } from '../flags.ts';
import { childrenOf, signal } from '../site.ts';

const mark = 'TALLYSTICK_DRILL_APART';
export const isApart = () => process.env[mark] === 'yes';

/** Why a drill cannot have a network and processes of its own here; null where it can. */
export function whyNotApart(): string | null {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it needs root, to have a network of its own and to cut it';
  const missing = ['unshare', 'ip', 'nft', 'setpriv'].filter((name) => whereIs(name) === null);
  return missing.length > 0
    ? `${missing.join(', ')} is missing: apt-get install -y util-linux iproute2 nftables`
    : null;
}

export function refuseWhereNotApart(command: string): void {
  const missing = missingPackages();
  if (missing.length > 0) refuse(howToInstall(missing));
  const why = whyNotApart();
  if (why) refuse(`${command} cannot run here: ${why}.`);
}

/**
 * The first process in there: it buries whatever others leave behind, hands on what it is told, and when it ends the
 * kernel ends all the others.
 */
const first = `
  ip link set lo up && mount -t tmpfs -o mode=1777 tmpfs /dev/shm || exit 1
  "$@" & child=$!
  trap 'kill -TERM $child' TERM INT
  while kill -0 $child 2>/dev/null; do wait $child; code=$?; done
  exit $code`;

/**
 * The same command once more with a loopback, processes and shared memory of its own: its ports and rules are nobody
 * else's, and no process of it outlives it, however it ends.
 */
export async function goApart(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const spaces = ['--net', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc'];
  const inside = ['sh', '-c', first, 'sh', process.execPath, ...process.execArgv, ...args];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'unshare', ...spaces, ...inside], {
    stdio: 'inherit',
    env: { ...process.env, ...env, [mark]: 'yes' },
    detached: true,
  });
  const handOn = () => {
    // unshare itself hears nothing; who is told is the first process inside.
    signal(childrenOf(child.pid ?? 0), 'SIGTERM');
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, handOn);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
