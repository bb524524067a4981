import type { Network } from '@tallystick/contract/networks';
import type { SigningScheme } from '../../../platform/chains/signed-text.ts';
import { type LogLine, logTime } from '../../../platform/log/outbox.ts';

export interface OwnAddress {
  network: Network;
  /** In its one spelling. */
  address: string;
}

export interface AddressSignature extends OwnAddress {
  origin: string;
  message: string;
  scheme: SigningScheme;
  signature: string;
  publicKey: string | null;
}

/**
 * What an address signs. It follows from the log's name, the network and the address, so that it can be signed before
 * anything is typed, and on a machine that has no network. It names the log: a copy of this site has another. One line of
 * plain letters, because wallets differ in what they make of line ends.
 */
export const messageOf = (origin: string, { network, address }: OwnAddress): string =>
  `tallystick address/v1: ${network} ${address} belongs to ${origin}`;

/** As the public log tells it; `docs/trust.md` has the lines. */
export function linesOf(signed: AddressSignature, now: Date): LogLine[] {
  return [
    ['time', logTime(now)],
    ['origin', signed.origin],
    ['network', signed.network],
    ['address', signed.address],
    ['message', signed.message],
    ['scheme', signed.scheme],
    ['signature', signed.signature],
    ...(signed.publicKey ? [['publickey', signed.publicKey] as const] : []),
  ];
}
