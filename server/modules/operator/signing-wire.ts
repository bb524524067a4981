import type { Signing as Wire } from '@tallystick/contract/operator/signing';
import type { Signing } from '../proof/service.ts';

export function signingToWire({ message, signed }: Signing, nameOf: (id: string) => string): Wire {
  return {
    message,
    signed: signed && {
      signature: signed.signature,
      publickey: signed.publicKey,
      at: signed.enteredAt.toISOString(),
      by: nameOf(signed.enteredBy),
    },
  };
}
