import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createApp } from '../server/app.ts';
import { amountCents, type Bank } from './bank.ts';
import type { Orders } from './http-client.ts';

const clientFile = fileURLToPath(new URL('http-client.ts', import.meta.url));

/** The whole server, listening; its clients are another process. */
export async function openHttp({ context, planId, investors }: Bank, connections: number) {
  const app = await createApp(context);
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  return {
    async perSecond(seconds: number): Promise<number> {
      const orders: Orders = {
        port,
        seconds,
        planId,
        amount: Number(amountCents) / 100,
        investors: investors.slice(0, connections),
      };
      const child = spawn(process.execPath, [clientFile], { stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.end(JSON.stringify(orders));
      const said = await text(child.stdout);
      if (said === '') throw new Error('the HTTP client failed');
      return JSON.parse(said).rate;
    },
    close: () => app.close(),
  };
}
