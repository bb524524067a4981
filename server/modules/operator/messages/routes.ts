import { operatorPageSize as pageSize, pagesOf } from '@tallystick/contract/operator/fields';
import * as calls from '@tallystick/contract/operator/messages';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../../platform/http/serve.ts';
import type { ConsoleParts } from '../service.ts';
import { actorOf } from '../session/routes.ts';

export function messagesRoutes(app: FastifyInstance, { contact, users }: ConsoleParts): void {
  serve(app, 'operator', calls.messages, async ({ query, request }) => {
    const { page, show } = query;
    const [{ total, open, messages }, names] = await Promise.all([
      contact.pageOfMessages({ show, page, pageSize, on: request.readDb }),
      users.operatorNames(),
    ]);
    return {
      messages: messages.map((row) => ({
        _id: row.id,
        name: row.name,
        email: row.email,
        message: row.message,
        receivedat: row.receivedAt.toISOString(),
        handled:
          row.handledBy && row.handledAt
            ? { by: names.get(row.handledBy) ?? row.handledBy, at: row.handledAt.toISOString() }
            : null,
      })),
      open,
      page,
      pages: pagesOf(total),
      total,
    };
  });

  serve(app, 'operator', calls.handlemessage, async ({ params, request }) => {
    await contact.handleMessage({ messageId: params.id, actor: actorOf(request) });
    return { message: 'Marked as answered.' };
  });
}
