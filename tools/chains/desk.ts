import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import path from 'node:path';
import { json, text } from 'node:stream/consumers';
import { type Network, networks } from '@tallystick/contract/networks';
import { z } from 'zod';
import { addressRefusal } from '../../server/platform/address.ts';
import { decimalToUnits } from '../../server/platform/chains/units.ts';
import type { TestChain } from './nodes.ts';

/** Where a `send` in another terminal finds the chains that run; `DEMO_CHAINS` names another place. */
const noteFile = () =>
  process.env.DEMO_CHAINS ??
  path.resolve(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'demo-chains');

const Paying = {
  network: z.enum(Object.keys(networks) as [Network, ...Network[]]),
  address: z.string().min(1),
  amount: z.string(),
  tag: z.coerce.number().int().min(0).max(0xffff_ffff).optional(),
};
const Order = z.discriminatedUnion('deed', [
  z.object({ deed: z.literal('send'), ...Paying }),
  z.object({ deed: z.literal('payout'), ...Paying }),
  z.object({ deed: z.literal('sign'), psbt: z.base64() }),
]);
type Order = z.infer<typeof Order>;

async function carryOut(chains: Record<Network, TestChain>, order: Order): Promise<string> {
  if (order.deed === 'sign') return chains.bitcoin.sign(Buffer.from(order.psbt, 'base64'));
  const { deed, network, address, amount, tag = null } = order;
  const { decimals, ticker } = networks[network].coin;
  const units = decimalToUnits(amount, decimals);
  const refusal = network === 'xrp' ? addressRefusal(network, address) : null;
  if (refusal) throw new Error(refusal);
  if (!units) throw new Error(`${amount} is no amount of ${ticker}: write it like 0.01.`);
  const sending = { address, units, tag };
  return deed === 'send' ? chains[network].send(sending) : chains[network].payOut(sending);
}

/** A PSBT as it is downloaded, or as text. */
function readPsbt(file: string): string {
  const bytes = readFileSync(file);
  return bytes.subarray(0, 4).toString() === 'psbt' ? bytes.toString('base64') : bytes.toString().trim();
}

/** What was typed after the command. */
function readOrder([deed, ...rest]: string[]): Order | undefined {
  const [network, address, amount, tag] = rest;
  if (deed === 'sign') return network ? { deed, psbt: readPsbt(network) } : undefined;
  return Order.safeParse({ deed, network, address, amount, tag }).data;
}

/** Takes orders from whoever may open a file of ours, which is nobody else. */
export async function openDesk(dir: string, chains: Record<Network, TestChain>): Promise<void> {
  const socket = path.join(dir, 'desk');
  const server = createServer(async (asked, answer) => {
    try {
      answer.end(await carryOut(chains, Order.parse(await json(asked))));
    } catch (error) {
      answer.writeHead(422).end((error as Error).message);
    }
  });
  const mask = process.umask(0o077);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve));
  process.umask(mask);
  server.unref();
  // A fresh checkout has no such folder yet.
  mkdirSync(path.dirname(noteFile()), { recursive: true });
  writeFileSync(noteFile(), socket);
}

/** Unless another has begun meanwhile, whose note it is then. */
export function closeDesk(dir: string): void {
  try {
    if (path.dirname(readFileSync(noteFile(), 'utf8')) === dir) rmSync(noteFile());
  } catch {
    // There is no note.
  }
}

/** Hands an order to the chains that run, and says the payment's id. */
export async function order(typed: string[]): Promise<string> {
  const wanted = readOrder(typed);
  if (!wanted) throw new Error(usage);
  const none = new Error('No chains are running here. Start them first: npm run demo:chains');
  let socketPath: string;
  try {
    socketPath = readFileSync(noteFile(), 'utf8');
  } catch {
    throw none;
  }
  const asking = request({ socketPath, path: '/', method: 'POST' });
  const answer = await new Promise<Parameters<typeof text>[0] & { statusCode?: number }>((resolve, reject) =>
    asking
      .once('response', resolve)
      .once('error', () => reject(none))
      .end(JSON.stringify(wanted)),
  );
  const said = await text(answer);
  if (answer.statusCode !== 200) throw new Error(said);
  return said;
}

const anyNetwork = `<${Object.keys(networks).join('|')}>`;
const usage = `Use: npm run demo:chains -- send ${anyNetwork} <address> <amount> [destination tag]
     npm run demo:chains -- payout <ethereum|bnb|xrp> <address> <amount> [destination tag]
     npm run demo:chains -- sign <file of a Bitcoin payout sheet>`;
