/**
 * `npm run witness -- --name witness.example/w1 --log 'vkey of the log' [--log …] [--dir witness-data] [--host 127.0.0.1]
 * [--port 8900]`, or on any machine: `node main.ts …`. Prints the key that the log's operator and its verifiers are given.
 */
import { parseArgs } from 'node:util';
import { serveWitness } from './serve.ts';
import { createWitness } from './witness.ts';

try {
  const { values } = parseArgs({
    options: {
      name: { type: 'string' },
      log: { type: 'string', multiple: true },
      dir: { type: 'string', default: 'witness-data' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '8900' },
    },
  });
  const { name, log: logs = [], dir, host, port } = values;
  if (!name || logs.length === 0)
    throw new Error('Say who it is and whose log it watches: --name NAME --log VKEY');
  const witness = createWitness({ name, dir, logs });
  const { url, close } = await serveWitness(witness, { host, port: Number(port) });
  process.stdout.write(`${witness.vkey} ${url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void close().then(() => process.exit(0)));
  }
} catch (error) {
  process.stderr.write(`The witness cannot start. ${(error as Error).message}\n`);
  process.exitCode = 1;
}
