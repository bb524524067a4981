import { investorpaper, investorpapers } from '@tallystick/contract/operator/investors';
import * as calls from '@tallystick/contract/papers';
import type { FastifyInstance } from 'fastify';
import { identityOf, operatorOf } from '../../../platform/http/identity.ts';
import { serve, serveFile } from '../../../platform/http/serve.ts';
import type { PaperFile, Papers } from './service.ts';

const types = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
};
const fileToWire = ({ kind, filename, body }: PaperFile) => ({ type: types[kind], filename, body });

export function papersRoutes(papers: Papers) {
  return async (app: FastifyInstance) => {
    serve(app, 'investor', calls.papers, async ({ query, request }) =>
      papers.span({ userId: identityOf(request).userId, ...query, on: request.readDb }),
    );
    serveFile(app, calls.paper, async ({ query, request }) => {
      const { from, to, format: kind } = query;
      const { userId } = identityOf(request);
      return fileToWire(await papers.paper({ userId, from, to, kind, on: request.readDb }));
    });
  };
}

/** An operator gets what the investor gets. */
export function papersOperatorRoutes(papers: Papers) {
  return async (app: FastifyInstance) => {
    serve(app, 'operator', investorpapers, async ({ params, query, request }) =>
      papers.span({ userId: params.id, ...query, on: request.readDb }),
    );
    serveFile(app, investorpaper, async ({ params, query, request }) => {
      const { from, to, format: kind } = query;
      const actor = {
        kind: 'operator' as const,
        id: operatorOf(request).operatorId,
        address: request.clientAddress,
      };
      const asked = { userId: params.id, from, to, kind, on: request.readDb };
      return fileToWire(await papers.paperForOperator({ ...asked, actor }));
    });
  };
}
