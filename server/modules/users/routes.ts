import { flowMinutes } from '@tallystick/contract/factors';
import { stopremoval } from '@tallystick/contract/removals';
import * as calls from '@tallystick/contract/users';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import { bearerOf, identityOf, type SecretCookie, secretCookie } from '../../platform/http/identity.ts';
import { clientOf, serve } from '../../platform/http/serve.ts';
import type { Profile } from './accounts.ts';
import type { BegunSession, BroughtBy } from './factors/beginning.ts';
import { factorPublicRoutes, factorRoutes } from './factors/routes.ts';
import { deviceAgeSecondsMax, type Users } from './service.ts';

interface UsersRoutesNeeds {
  users: Users;
  siteUrl: string;
}

/** The investor scope's guard: runs before anything of the request is looked at. */
export function investorGuard({ users, siteUrl }: UsersRoutesNeeds) {
  const sessionCookie = secretCookie('session', siteUrl);
  return async (request: FastifyRequest) => {
    request.identity = await users.authenticate({
      bearer: bearerOf(request),
      cookie: sessionCookie.read(request),
      background: request.headers['x-background-read'] !== undefined,
    });
  };
}

/** For what everybody may read and an investor reads a little differently: nobody is refused here. */
export function investorIfAny(needs: UsersRoutesNeeds) {
  const guard = investorGuard(needs);
  return async (request: FastifyRequest) => {
    await guard(request).catch((error) => {
      if (!(error instanceof AppError && error.code === 'unauthenticated')) throw error;
    });
  };
}

interface PublicCookies {
  session: SecretCookie;
  flow: SecretCookie;
  factorFlow: SecretCookie;
  passkeyFlow: SecretCookie;
  /** Stays when the session is over: what the browser is known by. */
  device: SecretCookie;
}

/** The steps of a forgotten password, tied together by the cookie of the browser that began it. */
function resetRoutes(app: FastifyInstance, users: Users, cookies: PublicCookies): void {
  const { flow: flowCookie, device: deviceCookie } = cookies;
  serve(app, 'public', calls.forgotpassword, async ({ body, request, reply }) => {
    const begun = await users.forgotPassword({ email: body.email, client: clientOf(request) });
    flowCookie.write(reply, begun.flowSecret);
    return { userid: begun.userId };
  });

  serve(app, 'public', calls.verifyforgortpasscode, async ({ body, request }) => {
    const flowSecret = flowCookie.read(request);
    await users.verifyResetCode({ code: body.code, flowSecret, clientAddress: request.clientAddress });
    return { message: 'Choose a new password.' };
  });

  serve(app, 'public', calls.resetlink, async ({ body, reply }) => {
    const opened = await users.openResetLink({ token: body.token });
    flowCookie.write(reply, opened.flowSecret);
    return { userid: opened.userId };
  });

  serve(app, 'public', calls.updatepassword, async ({ params, body, request, reply }) => {
    const { deviceSecret } = await users.updatePassword({
      userId: params.userid,
      password: body.password,
      confirmation: body.cpassword,
      flowSecret: flowCookie.read(request),
      client: clientOf(request),
      deviceSecret: deviceCookie.read(request),
    });
    deviceCookie.write(reply, deviceSecret);
    flowCookie.clear(reply);
    return { message: 'The password was changed.' };
  });
}

function signInRoutes(app: FastifyInstance, users: Users, cookies: PublicCookies): void {
  const broughtBy = (request: FastifyRequest): BroughtBy => ({
    client: clientOf(request),
    deviceSecret: cookies.device.read(request),
    sessionCookie: cookies.session.read(request),
  });
  const answer = (reply: FastifyReply, { user, bearer, cookie, deviceSecret }: BegunSession) => {
    cookies.session.write(reply, cookie);
    cookies.device.write(reply, deviceSecret);
    return { _id: user.id, token: bearer, fullname: user.fullname, email: user.email };
  };

  serve(app, 'public', calls.signin, async ({ body: { email, password }, request, reply }) => {
    const begun = await users.signIn({ email, password, ...broughtBy(request) });
    if (!('ways' in begun)) return answer(reply, begun);
    cookies.factorFlow.write(reply, begun.flowSecret);
    throw new AppError('second_factor_required', 'Show your second factor.', { ways: begun.ways });
  });

  factorPublicRoutes(app, users, { ...cookies, broughtBy, answer });

  // Who stops it need not be signed in, and mostly cannot be.
  serve(app, 'public', stopremoval, async ({ body: { token }, request }) => {
    await users.stopRemoval({ token, client: clientOf(request) });
    return { message: 'It is stopped. Your second factors stay as they are.' };
  });
}

export function usersPublicRoutes({ users, siteUrl }: UsersRoutesNeeds) {
  const cookies: PublicCookies = {
    session: secretCookie('session', siteUrl),
    flow: secretCookie('reset-flow', siteUrl),
    factorFlow: secretCookie('factor-flow', siteUrl, { ageSecondsMax: flowMinutes * 60 }),
    passkeyFlow: secretCookie('passkey-flow', siteUrl, { ageSecondsMax: flowMinutes * 60 }),
    device: secretCookie('device', siteUrl, { ageSecondsMax: deviceAgeSecondsMax }),
  };

  return async (app: FastifyInstance) => {
    resetRoutes(app, users, cookies);

    serve(app, 'public', calls.register, async ({ body, request }) => {
      const { isAdmin: _, ...person } = body;
      const { userId } = await users.register({ ...person, clientAddress: request.clientAddress });
      return { userid: userId };
    });

    serve(app, 'public', calls.verifycode, async ({ params, body, request }) => {
      const { clientAddress } = request;
      await users.verifyCode({ userId: params.userid, code: body.code, clientAddress });
      return { message: 'Your account is active.' };
    });

    serve(app, 'public', calls.verifylink, async ({ body, request }) => {
      await users.verifyLink({ token: body.token, clientAddress: request.clientAddress });
      return { message: 'Your account is active.' };
    });

    serve(app, 'public', calls.resend, async ({ params, body, request }) => {
      const who = { userId: params.userid, clientAddress: request.clientAddress };
      if (body.purpose === 'reset')
        await users.resendResetCode({ ...who, flowSecret: cookies.flow.read(request) });
      else await users.resendVerifyCode(who);
      return { message: 'A new code is on its way.' };
    });

    signInRoutes(app, users, cookies);
  };
}

const profileToWire = ({ id, fullname, email, newAddressesAfter }: Profile) => ({
  _id: id,
  fullname,
  email,
  newaddressesafter: newAddressesAfter?.toISOString() ?? null,
});

export function usersInvestorRoutes({ users, siteUrl }: UsersRoutesNeeds) {
  const sessionCookie = secretCookie('session', siteUrl);

  return async (app: FastifyInstance) => {
    serve(app, 'investor', calls.signout, async ({ request, reply }) => {
      await users.signOut({ ...identityOf(request), clientAddress: request.clientAddress });
      sessionCookie.clear(reply);
      return { message: 'You are signed out.' };
    });

    serve(app, 'investor', calls.viewprofile, async ({ request }) => {
      return profileToWire(await users.viewProfile({ userId: identityOf(request).userId }));
    });

    serve(app, 'investor', calls.editprofile, async ({ body, request }) => {
      const by = { userId: identityOf(request).userId, clientAddress: request.clientAddress };
      const { fullname, email } = body;
      return profileToWire(await users.editProfile({ fullname, email, ...by }));
    });

    serve(app, 'investor', calls.changepassword, async ({ body, request }) => {
      await users.demandStepUp(identityOf(request));
      await users.changePassword({
        identity: identityOf(request),
        password: body.password,
        passwordNew: body.passwordnew,
        client: clientOf(request),
      });
      return { message: 'The password was changed.' };
    });

    deviceRoutes(app, users);
    factorRoutes(app, users);
  };
}

function deviceRoutes(app: FastifyInstance, users: Users): void {
  serve(app, 'investor', calls.devices, async ({ request }) => {
    const devices = await users.devices(identityOf(request));
    return {
      device: devices.map((device) => ({
        _id: device.id,
        current: device.current,
        useragent: device.userAgent,
        address: device.clientAddress,
        firstseenat: device.firstSeenAt.toISOString(),
        signedinat: device.signedInAt.toISOString(),
        seenat: device.seenAt.toISOString(),
      })),
    };
  });

  serve(app, 'investor', calls.signoutdevice, async ({ params, request }) => {
    const { userId } = identityOf(request);
    await users.signOutDevice({ userId, deviceId: params.deviceid, clientAddress: request.clientAddress });
    return { message: 'The device was signed out.' };
  });

  serve(app, 'investor', calls.signoutothers, async ({ request }) => {
    await users.signOutOthers({ ...identityOf(request), clientAddress: request.clientAddress });
    return { message: 'Every other device was signed out.' };
  });
}
