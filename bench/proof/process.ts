/** Makes one statement of the books of the database that is named, and says what it took. */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import { createNetworks } from '../../server/modules/networks/service.ts';
import type { Prices } from '../../server/modules/prices/service.ts';
import { createProof } from '../../server/modules/proof/service.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { openApp } from '../../server/platform/postgres/db.ts';
import { createSealer } from '../../server/platform/sealing.ts';

const logger = pino({ level: 'silent' });
const db = openApp(process.argv[2] ?? '', logger);
const networks = createNetworks({
  db,
  clock: systemClock,
  logger,
  // No chain is read, so no price is asked for.
  prices: {} as Prices,
  chains: {},
  bitcoinNetwork: 'regtest',
  sampleHeight: null,
});
const sealer = createSealer(Buffer.alloc(32));
const proof = createProof({ db, clock: systemClock, networks, sealer, origin: 'tallystick.test/log' });

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
const [begun, cpu] = [performance.now(), process.cpuUsage()];
const { investors, depth } = await proof.prove();
const { user, system } = process.cpuUsage(cpu);
const measured = {
  investors,
  depth,
  seconds: (performance.now() - begun) / 1000,
  node_cpu_s: (user + system) / 1e6,
  stall_ms: delays.max / 1e6,
  memory_mb: Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024,
};
// Its connections would be kept for ten seconds, in case that there is more to do.
process.stdout.write(JSON.stringify(measured), () => process.exit());
