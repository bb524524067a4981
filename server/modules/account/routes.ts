import * as calls from '@tallystick/contract/account';
import { toWire } from '@tallystick/contract/money';
import type { FastifyInstance } from 'fastify';
import { dayMs } from '../../platform/clock.ts';
import { identityOf, secretCookie } from '../../platform/http/identity.ts';
import { clientOf, serve, serveFile } from '../../platform/http/serve.ts';
import type { Account } from './service.ts';

export function accountRoutes({ account, siteUrl }: { account: Account; siteUrl: string }) {
  const sessionCookie = secretCookie('session', siteUrl);
  return async (app: FastifyInstance) => {
    serveFile(app, calls.download, async ({ request }) => {
      const asked = { identity: identityOf(request), client: clientOf(request) };
      return { type: 'application/zip', ...(await account.download(asked)) };
    });

    serve(app, 'investor', calls.closing, async ({ request }) => {
      const { userId } = identityOf(request);
      const { keptMs, leaveCents, ...left } = await account.closingState({ userId });
      return {
        ready: left.ready,
        available: toWire(left.walletCents),
        invested: toWire(left.investedCents),
        withdrawing: toWire(left.withdrawingCents),
        deposits: left.deposits,
        corrections: left.corrections,
        frozen: left.frozen,
        leave: toWire(leaveCents),
        keptdays: keptMs / dayMs,
      };
    });

    serve(app, 'investor', calls.close, async ({ body, request, reply }) => {
      const { email, leave: leaveCents } = body;
      const asked = { identity: identityOf(request), client: clientOf(request), email, leaveCents };
      const { keptUntil } = await account.close(asked);
      sessionCookie.clear(reply);
      return { message: 'Your account is closed.', keptuntil: keptUntil.toISOString() };
    });
  };
}
