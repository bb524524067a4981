import {
  flowMinutes,
  transports as knownTransports,
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyCreation,
  type PasskeyRequest,
} from '@tallystick/contract/factors';
import type { z } from 'zod';
import { minuteMs } from '../../../platform/clock.ts';
import type { PasskeyRow } from './passkey-store.ts';
import { relyingPartyOf } from './rules.ts';

type Assertion = z.output<typeof PasskeyAssertion>;
type Attestation = z.output<typeof PasskeyAttestation>;

/** What a passkey has shown. Its counter is judged by whoever keeps it. */
interface Signed {
  counter: bigint;
  backedUp: boolean;
}

/** Read when the first passkey is asked for: it takes a third of a second and 28 MB, and many a server never needs it. */
const library = () => import('@simplewebauthn/server');

const timeout = flowMinutes * minuteMs;
/** Ed25519, ES256 and RS256: what there is, in the order in which we like it. */
const algorithms = [-8, -7, -257];

/** People are known to their passkeys by the bytes of their id, which say nothing. */
const handleOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');

const known = (passkeys: Pick<PasskeyRow, 'credentialId' | 'transports'>[]) =>
  passkeys.map(({ credentialId: id, transports }) => ({
    id,
    transports: knownTransports.filter((each) => transports.includes(each)),
  }));

/** What browsers are asked for, and whether what they bring was made for this site, now, by who holds the key. */
export function createPasskeyChecks({ siteUrl, siteName }: { siteUrl: string; siteName: string }) {
  const { id: rpID, origins } = relyingPartyOf(siteUrl);
  const expected = { expectedOrigin: origins, expectedRPID: rpID, requireUserVerification: true };

  return {
    /** Of these passkeys one; of none in particular any that this site has. */
    async request(passkeys?: PasskeyRow[]): Promise<PasskeyRequest> {
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({
        rpID,
        timeout,
        userVerification: 'required',
        ...(passkeys && { allowCredentials: known(passkeys) }),
      });
      return options as PasskeyRequest;
    },

    async creation(
      user: { id: string; email: string; fullname: string },
      passkeys: PasskeyRow[],
    ): Promise<PasskeyCreation> {
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        rpID,
        rpName: siteName,
        userID: new Uint8Array(handleOf(user.id)),
        userName: user.email,
        userDisplayName: user.fullname,
        timeout,
        supportedAlgorithmIDs: algorithms,
        excludeCredentials: known(passkeys),
        // Known to the browser without an e-mail address, and never used without its owner.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return options as PasskeyCreation;
    },

    /** Null for whatever is not right about it: a browser that is honest brings no such thing. */
    async signed(passkey: PasskeyRow, shown: Assertion, challenge: string): Promise<Signed | null> {
      const { userHandle } = shown.response;
      const ownerId = passkey.userId ?? passkey.operatorId ?? '';
      if (userHandle && userHandle !== handleOf(ownerId).toString('base64url')) return null;
      const { clientDataJSON, authenticatorData, signature } = shown.response;
      const { verifyAuthenticationResponse } = await library();
      const result = await verifyAuthenticationResponse({
        ...expected,
        expectedChallenge: challenge,
        response: {
          id: shown.id,
          rawId: shown.rawId,
          type: shown.type,
          response: { clientDataJSON, authenticatorData, signature },
          clientExtensionResults: {},
        },
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(passkey.publicKey),
          counter: 0,
        },
      }).catch(() => null);
      if (!result?.verified) return null;
      const { newCounter, credentialBackedUp } = result.authenticationInfo;
      return { counter: BigInt(newCounter), backedUp: credentialBackedUp };
    },

    /** What is kept of a new passkey; null for whatever is not right about it. */
    async made({ id, rawId, type, response }: Attestation, challenge: string) {
      const { clientDataJSON, attestationObject, transports = [] } = response;
      const { verifyRegistrationResponse } = await library();
      const result = await verifyRegistrationResponse({
        ...expected,
        expectedChallenge: challenge,
        supportedAlgorithmIDs: algorithms,
        response: {
          id,
          rawId,
          type,
          response: { clientDataJSON, attestationObject },
          clientExtensionResults: {},
        },
      }).catch(() => null);
      if (!result?.verified) return null;
      const { credential, credentialBackedUp } = result.registrationInfo;
      if (credential.id !== id) return null;
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: BigInt(credential.counter),
        transports: knownTransports.filter((each) => transports.includes(each)),
        backedUp: credentialBackedUp,
      };
    },
  };
}

export type PasskeyChecks = ReturnType<typeof createPasskeyChecks>;
