import * as calls from '@tallystick/contract/factors';
import { toWire } from '@tallystick/contract/money';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { identityOf, type SecretCookie } from '../../../platform/http/identity.ts';
import { clientOf, serve } from '../../../platform/http/serve.ts';
import type { Users } from '../service.ts';
import type { BegunSession, BroughtBy } from './beginning.ts';
import { passkeyToWire, shownIn } from './wire.ts';

interface SignInWires {
  /** The flow that the right password has begun in this browser. */
  factorFlow: SecretCookie;
  /** That of a passkey alone: a page that offers one must not end the other. */
  passkeyFlow: SecretCookie;
  broughtBy(request: FastifyRequest): BroughtBy;
  /** Writes the cookies of a session and says whose it is. */
  answer(
    reply: Parameters<SecretCookie['write']>[0],
    begun: BegunSession,
  ): z.input<typeof calls.secondfactor.answer>;
}

/** The second step of a sign-in, and a passkey instead of both. */
export function factorPublicRoutes(app: FastifyInstance, users: Users, wires: SignInWires): void {
  const { factorFlow, passkeyFlow, broughtBy, answer } = wires;
  serve(app, 'public', calls.secondfactor, async ({ body, request, reply }) => {
    const flowSecret = factorFlow.read(request);
    const begun = await users.finishSignIn({ flowSecret, shown: shownIn(body), ...broughtBy(request) });
    factorFlow.clear(reply);
    return answer(reply, begun);
  });

  serve(app, 'public', calls.secondfactoroptions, ({ request }) =>
    users.secondFactorOptions({ flowSecret: factorFlow.read(request) }),
  );

  serve(app, 'public', calls.passkeysigninoptions, async ({ request, reply }) => {
    const { options, flowSecret } = await users.passkeySignInOptions({ client: clientOf(request) });
    passkeyFlow.write(reply, flowSecret);
    return options;
  });

  serve(app, 'public', calls.passkeysignin, async ({ body: { passkey }, request, reply }) => {
    const flowSecret = passkeyFlow.read(request);
    const begun = await users.signInByPasskey({ flowSecret, passkey, ...broughtBy(request) });
    passkeyFlow.clear(reply);
    return answer(reply, begun);
  });
}

const askedBy = (request: FastifyRequest) => ({ identity: identityOf(request), client: clientOf(request) });

export function factorRoutes(app: FastifyInstance, users: Users): void {
  stepUpRoutes(app, users);
  keepingRoutes(app, users);
  serve(app, 'investor', calls.factors, async ({ request }) => {
    const found = await users.factors(identityOf(request));
    const { authenticator } = found;
    return {
      authenticator: authenticator?.confirmedAt
        ? {
            createdat: authenticator.confirmedAt.toISOString(),
            usedat: authenticator.usedAt?.toISOString() ?? null,
          }
        : null,
      passkey: found.passkeys.map(passkeyToWire),
      recoverycodesleft: found.codesLeft,
      stepupabove: toWire(found.aboveCents),
      ways: found.ways,
      steppedupuntil: found.steppedUpUntil?.toISOString() ?? null,
    };
  });
}

function stepUpRoutes(app: FastifyInstance, users: Users): void {
  serve(app, 'investor', calls.stepup, async ({ body, request }) => {
    const { until } = await users.stepUp({ ...askedBy(request), shown: shownIn(body) });
    return { steppedupuntil: until.toISOString() };
  });

  serve(app, 'investor', calls.stepupoptions, ({ request }) => users.stepUpOptions(identityOf(request)));

  serve(app, 'investor', calls.stepupmail, async ({ request }) => {
    await users.mailStepUpLink(askedBy(request));
    return { message: 'A link is on its way.' };
  });

  serve(app, 'investor', calls.stepuplink, async ({ body, request }) => {
    const { until } = await users.openStepUpLink({ ...askedBy(request), token: body.token });
    return { steppedupuntil: until.toISOString() };
  });

  serve(app, 'investor', calls.stepupabove, async ({ body: { amount }, request }) => {
    await users.setStepUpAbove({ ...askedBy(request), amountCents: amount });
    return { stepupabove: toWire(amount) };
  });
}

function keepingRoutes(app: FastifyInstance, users: Users): void {
  serve(app, 'investor', calls.newauthenticator, ({ request }) => users.beginAuthenticator(askedBy(request)));

  serve(app, 'investor', calls.confirmauthenticator, async ({ body, request }) => ({
    recoverycodes: await users.confirmAuthenticator({ ...askedBy(request), code: body.code }),
  }));

  serve(app, 'investor', calls.removeauthenticator, async ({ request }) => {
    await users.removeAuthenticator(askedBy(request));
    return { message: 'The authenticator was removed.' };
  });

  serve(app, 'investor', calls.newpasskey, ({ request }) => users.beginPasskey(askedBy(request)));

  serve(app, 'investor', calls.confirmpasskey, async ({ body, request }) => {
    const { passkey, recoveryCodes } = await users.confirmPasskey({ ...askedBy(request), ...body });
    return { passkey: passkeyToWire(passkey), recoverycodes: recoveryCodes };
  });

  serve(app, 'investor', calls.namepasskey, async ({ params, body, request }) => {
    const naming = { passkeyId: params.passkeyid, name: body.name };
    return { passkey: passkeyToWire(await users.namePasskey({ ...askedBy(request), ...naming })) };
  });

  serve(app, 'investor', calls.removepasskey, async ({ params, request }) => {
    await users.removePasskey({ ...askedBy(request), passkeyId: params.passkeyid });
    return { message: 'The passkey was removed.' };
  });

  serve(app, 'investor', calls.newrecoverycodes, async ({ request }) => ({
    recoverycodes: await users.renewRecoveryCodes(askedBy(request)),
  }));
}
