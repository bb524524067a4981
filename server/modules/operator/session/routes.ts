import { flowMinutes } from '@tallystick/contract/factors';
import * as factorCalls from '@tallystick/contract/operator/factors';
import * as calls from '@tallystick/contract/operator/session';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/app-error.ts';
import type { Actor } from '../../../platform/audit/audit.ts';
import { type OperatorIdentity, operatorOf, secretCookie } from '../../../platform/http/identity.ts';
import { clientOf, idempotencyKeyOf, serve } from '../../../platform/http/serve.ts';
import { deviceAgeSecondsMax, passkeyToWire, shownIn, type Users } from '../../users/service.ts';

interface SessionRoutesNeeds {
  users: Users;
  siteUrl: string;
}

const cookieName = 'operator-session';
const operatorToWire = ({ id, name, email }: { id: string; name: string; email: string }) => ({
  _id: id,
  name,
  email,
});

export function actorOf(request: FastifyRequest): Actor {
  return { kind: 'operator', id: operatorOf(request).operatorId, address: request.clientAddress };
}

/** Who presses, and under which key. */
export const pressedBy = (request: FastifyRequest) => ({
  actor: actorOf(request),
  idempotencyKey: idempotencyKeyOf(request),
});

/** The operator scope's guard. Only its own cookie opens it: a bearer token is an investor's and is not looked at. */
export function operatorGuard({ users, siteUrl }: SessionRoutesNeeds) {
  const cookie = secretCookie(cookieName, siteUrl);
  return async (request: FastifyRequest) => {
    request.operator = await users.authenticateOperator({
      cookie: cookie.read(request),
      background: request.headers['x-background-read'] !== undefined,
    });
  };
}

/** Modules know operators by their ids; whoever reads a refusal knows them by name. */
export function nameOperators(users: Users) {
  return async (_request: unknown, _reply: unknown, error: Error) => {
    if (!(error instanceof AppError) || !error.by) return;
    error.nameOperator((await users.operatorNames()).get(error.by) ?? error.by);
  };
}

export function operatorPublicRoutes({ users, siteUrl }: SessionRoutesNeeds) {
  const cookie = secretCookie(cookieName, siteUrl);
  const deviceCookie = secretCookie('operator-device', siteUrl, { ageSecondsMax: deviceAgeSecondsMax });
  const flowCookie = secretCookie('operator-flow', siteUrl, { ageSecondsMax: flowMinutes * 60 });
  const whoBrings = (request: FastifyRequest) => ({
    client: clientOf(request),
    deviceSecret: deviceCookie.read(request),
    sessionCookie: cookie.read(request),
  });
  return async (app: FastifyInstance) => {
    serve(app, 'public', calls.signin, async ({ body, request, reply }) => {
      const { recoverycode: recoveryCode, ...credentials } = body;
      const { email, password, code } = credentials;
      const by = whoBrings(request);
      const answer = await users.signInOperator({ email, password, code, recoveryCode, ...by });
      if ('enrolment' in answer) return { operator: null, enrolment: answer.enrolment };
      cookie.write(reply, answer.begun.cookie);
      deviceCookie.write(reply, answer.begun.deviceSecret);
      return { operator: operatorToWire(answer.begun.operator), enrolment: null };
    });

    serve(app, 'public', calls.enrol, async ({ body, request, reply }) => {
      const by = whoBrings(request);
      const { begun, recoveryCodes } = await users.enrolOperator({ ...body, ...by });
      cookie.write(reply, begun.cookie);
      deviceCookie.write(reply, begun.deviceSecret);
      return { operator: operatorToWire(begun.operator), recoverycodes: recoveryCodes };
    });

    serve(app, 'public', factorCalls.signinoptions, async ({ body, request, reply }) => {
      const asked = await users.operatorSignInOptions({ ...body, ...whoBrings(request) });
      flowCookie.write(reply, asked.flowSecret);
      return asked.options;
    });

    serve(app, 'public', factorCalls.signinpasskey, async ({ body: { passkey }, request, reply }) => {
      const flowSecret = flowCookie.read(request);
      const begun = await users.signInOperatorByPasskey({ flowSecret, passkey, ...whoBrings(request) });
      flowCookie.clear(reply);
      cookie.write(reply, begun.cookie);
      deviceCookie.write(reply, begun.deviceSecret);
      return { operator: operatorToWire(begun.operator) };
    });
  };
}

export function sessionRoutes(app: FastifyInstance, { users, siteUrl }: SessionRoutesNeeds): void {
  factorRoutes(app, users);
  const cookie = secretCookie(cookieName, siteUrl);
  serve(app, 'operator', calls.signout, async ({ request, reply }) => {
    const { operatorId, sessionId }: OperatorIdentity = operatorOf(request);
    await users.signOutOperator({ operatorId, sessionId, clientAddress: request.clientAddress });
    cookie.clear(reply);
    return { message: 'You are signed out.' };
  });

  serve(app, 'operator', calls.me, async ({ request }) => {
    const { operatorId, name, email, expiresAt } = operatorOf(request);
    return {
      operator: operatorToWire({ id: operatorId, name, email }),
      recoverycodesleft: await users.recoveryCodesLeft({ operatorId }),
      expiresat: expiresAt.toISOString(),
    };
  });
}

const askedBy = (request: FastifyRequest) => ({
  identity: operatorOf(request),
  client: clientOf(request),
});

/** What one signs in with: one's own, and nobody else's. */
function factorRoutes(app: FastifyInstance, users: Users): void {
  serve(app, 'operator', factorCalls.operatorfactors, async ({ request }) => {
    const { authenticator, passkeys, codesLeft } = await users.operatorFactors(operatorOf(request));
    return { authenticator, passkey: passkeys.map(passkeyToWire), recoverycodesleft: codesLeft };
  });

  serve(app, 'operator', factorCalls.operatorproofoptions, ({ request }) =>
    users.operatorProofOptions(operatorOf(request)),
  );

  serve(app, 'operator', factorCalls.newoperatorpasskey, ({ body, request }) =>
    users.beginOperatorPasskey({ ...askedBy(request), shown: shownIn(body) }),
  );

  serve(app, 'operator', factorCalls.confirmoperatorpasskey, async ({ body, request }) => ({
    passkey: passkeyToWire(await users.confirmOperatorPasskey({ ...askedBy(request), ...body })),
  }));

  serve(app, 'operator', factorCalls.removeoperatorpasskey, async ({ params, body, request }) => {
    const removing = { passkeyId: params.passkeyid, shown: shownIn(body) };
    await users.removeOperatorPasskey({ ...askedBy(request), ...removing });
    return { message: 'The passkey was removed.' };
  });

  serve(app, 'operator', factorCalls.removeoperatorauthenticator, async ({ body, request }) => {
    await users.removeOperatorAuthenticator({ ...askedBy(request), shown: shownIn(body) });
    return { message: 'The authenticator was removed.' };
  });
}
