import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { checksummed } from '../../address.ts';
import { type Checked, notOfThis, type SignedText, wasChanged } from '../signed-text.ts';

const wrongLength =
  'The signature of a plain account is 0x and 130 characters. A contract wallet signs in another way, which only its chain can check: it cannot be taken here.';
const otherAccount = `${notOfThis} The address of a contract wallet cannot sign.`;

/** EIP-191, which wallets call personal_sign: the account is computed from the signature. */
export function checkEvmText({ address, text, signature }: SignedText): Checked {
  const digits = signature.replace(/^0x/i, '').toLowerCase();
  if (!/^[0-9a-f]*$/.test(digits) || digits.length !== 130) return { wrong: wrongLength };
  const bytes = hexToBytes(digits);
  // Hardware wallets say 0 and 1, everybody else 27 and 28.
  const last = bytes[64] ?? 0;
  const recovery = last >= 27 ? last - 27 : last;
  if (recovery > 1) return { wrong: wrongLength };
  const said = utf8ToBytes(text);
  const before = utf8ToBytes(`\u0019Ethereum Signed Message:\n${said.length}`);
  const account = accountOf(
    concatBytes(Uint8Array.of(recovery), bytes.subarray(0, 64)),
    concatBytes(before, said),
  );
  if (account === 'changed') return { wrong: wasChanged };
  if (account !== checksummed(address)) return { wrong: otherAccount };
  const spelled = `0x${digits.slice(0, 128)}${(recovery + 27).toString(16)}`;
  return { scheme: 'eip191', signature: spelled, publicKey: null };
}

function accountOf(signature: Uint8Array, signed: Uint8Array): string | null {
  try {
    const read = secp256k1.Signature.fromBytes(signature, 'recovered');
    if (read.hasHighS()) return 'changed';
    const key = read.recoverPublicKey(keccak_256(signed)).toBytes(false);
    return checksummed(`0x${bytesToHex(keccak_256(key.subarray(1)).subarray(-20))}`);
  } catch {
    return null;
  }
}
