import * as calls from '@tallystick/contract/notices';
import type { FastifyInstance } from 'fastify';
import { identityOf } from '../../platform/http/identity.ts';
import { clientOf, serve } from '../../platform/http/serve.ts';
import type { Notices } from './service.ts';
import type { NoticeRow } from './store.ts';
import { topicOfKind } from './topics.ts';

const noticeToWire = (row: NoticeRow): calls.Notice => ({
  _id: row.id,
  topic: topicOfKind(row.kind),
  title: row.title,
  line: row.line,
  transactionid: row.transactionid,
  at: row.at.toISOString(),
  readat: row.readAt?.toISOString() ?? null,
});

export function noticesRoutes(notices: Notices) {
  return async (app: FastifyInstance) => {
    serve(app, 'investor', calls.notices, async ({ query: { before }, request }) => {
      const found = await notices.list({ userId: identityOf(request).userId, before, on: request.readDb });
      return { notices: found.notices.map(noticeToWire), more: found.more };
    });

    serve(app, 'investor', calls.unreadnotices, async ({ request }) => ({
      unread: await notices.unread({ userId: identityOf(request).userId, on: request.readDb }),
    }));

    serve(app, 'investor', calls.readnotices, async ({ body: { ids, olderthan }, request }) => {
      const { userId } = identityOf(request);
      return { unread: await notices.markRead({ userId, ids, olderThan: olderthan }) };
    });

    serve(app, 'investor', calls.letterchoices, async ({ request }) => ({
      choices: await notices.letterChoices({ userId: identityOf(request).userId }),
    }));

    serve(app, 'investor', calls.chooseletters, async ({ body, request }) => {
      const { userId } = identityOf(request);
      const clientAddress = clientOf(request).address;
      return { choices: await notices.chooseLetters({ ...body, userId, clientAddress }) };
    });
  };
}
