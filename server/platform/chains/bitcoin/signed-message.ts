import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { equalBytes } from '@noble/curves/utils.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { Address, CompactSize, OutScript, RawTx, RawWitness, Transaction } from '@scure/btc-signer';
import type { NetworkFacts } from '@tallystick/contract/networks';

import { type Checked, notOfThis, type SignedText, wasChanged } from '../signed-text.ts';
import { bitcoinParams } from './params.ts';

type Facts = NetworkFacts & { family: 'bitcoin' };
type Lock = ReturnType<ReturnType<typeof Address>['decode']>;

const notBase64 =
  'Paste the signature alone, as the wallet shows it: one line of letters, digits, + and /, often with = at its end.';
const severalKeys =
  'Only an address of a single key can show that it is ours. One of several keys, or of a script, cannot be checked here.';

const hash160 = (bytes: Uint8Array) => ripemd160(sha256(bytes));
const hash256 = (bytes: Uint8Array) => sha256(sha256(bytes));

/** What an address stands for, and its one spelling: of the main network, or of a test network that the server may be on. */
export function readAddress(facts: Facts, address: string): { lock: Lock; spelled: string } | null {
  const { prefix: bech32, versions } = facts.address;
  const [pubKeyHash = 0, scriptHash = 0] = versions;
  const main = { ...bitcoinParams.mainnet, bech32, pubKeyHash, scriptHash };
  for (const params of [main, bitcoinParams.testnet, bitcoinParams.regtest]) {
    try {
      const coder = Address(params);
      const lock = coder.decode(address);
      return { lock, spelled: coder.encode(lock) };
    } catch {
      // Of none of these; the last one says so.
    }
  }
  return null;
}

/** As Bitcoin Core, Electrum, Sparrow and Trezor make them: the older way, which most wallets know, or BIP-322. */
export function checkBitcoinText(facts: Facts, { address, text, signature }: SignedText): Checked {
  const lock = readAddress(facts, address)?.lock;
  if (!lock || lock.type === 'wsh') return { wrong: severalKeys };
  const bytes = bytesOf(signature);
  if (!bytes) return { wrong: notBase64 };
  return bytes.length === 65 ? checkRecoverable(facts, lock, text, bytes) : checkWitness(lock, text, bytes);
}

/** Since 2025 a signature of BIP-322 may say its kind in three letters before it. */
function bytesOf(signature: string): Uint8Array | null {
  try {
    return base64.decode(signature.replace(/^smp(?=A)/, ''));
  } catch {
    return null;
  }
}

/** BIP-137: the first byte says which of up to four keys it is, and of what kind the address. */
const firsts = { uncompressed: 27, plain: 31, nested: 35, segwit: 39, end: 43 };

/** Electrum and Bitcoin Core say `plain` of every kind of address. */
function isMeantFor(first: number, lock: Lock): boolean {
  if (first < firsts.plain) return lock.type === 'pkh';
  if (first < firsts.nested) return lock.type === 'pkh' || lock.type === 'sh' || lock.type === 'wpkh';
  return lock.type === (first < firsts.segwit ? 'sh' : 'wpkh');
}

function checkRecoverable(facts: Facts, lock: Lock, text: string, bytes: Uint8Array): Checked {
  if (lock.type === 'tr') {
    return { wrong: 'A Taproot address signs by BIP-322. Choose that format in the wallet.' };
  }
  const [first = 0] = bytes;
  if (first < firsts.uncompressed || first >= firsts.end) return { wrong: notBase64 };
  if (!isMeantFor(first, lock)) return { wrong: 'The wallet signed for another kind of address.' };
  const recovery = (first - firsts.uncompressed) & 3;
  const key = keyOf(concatBytes(Uint8Array.of(recovery), bytes.subarray(1)), textHash(facts, text));
  if (key === 'changed') return { wrong: wasChanged };
  if (!key || !unlocks(lock, key.toBytes(first >= firsts.plain))) return { wrong: notOfThis };
  return { scheme: 'bip137', signature: base64.encode(bytes), publicKey: null };
}

/** Every coin of the family has its own name before the text, so that nothing signed for one counts for another. */
function textHash({ coin }: Facts, text: string): Uint8Array {
  const parts = [`${coin.name} Signed Message:\n`, text].map((part) => utf8ToBytes(part));
  return hash256(
    concatBytes(...parts.flatMap((part) => [CompactSize.encode(BigInt(part.length)), part] as Uint8Array[])),
  );
}

function keyOf(signature: Uint8Array, hash: Uint8Array) {
  try {
    const read = secp256k1.Signature.fromBytes(signature, 'recovered');
    return read.hasHighS() ? 'changed' : read.recoverPublicKey(hash);
  } catch {
    return null;
  }
}

function unlocks(lock: Lock, key: Uint8Array): boolean {
  const hash = hash160(key);
  if (lock.type === 'pkh' || lock.type === 'wpkh') return equalBytes(lock.hash, hash);
  if (lock.type !== 'sh') return false;
  return equalBytes(lock.hash, hash160(OutScript.encode({ type: 'wpkh', hash })));
}

/** BIP-322, simple: the witness of a transaction that nobody can send, which spends a made-up output of the address. */
function checkWitness(lock: Lock, text: string, bytes: Uint8Array): Checked {
  if (lock.type !== 'wpkh' && lock.type !== 'tr') {
    return {
      wrong: 'This kind of address signs in the older format. Choose that in the wallet, not BIP-322.',
    };
  }
  const witness = witnessOf(bytes);
  if (!witness) return { wrong: notBase64 };
  const scheme = { scheme: 'bip322', signature: base64.encode(bytes), publicKey: null } as const;
  const [signature = new Uint8Array(), key = new Uint8Array()] = witness;
  if (lock.type === 'tr') {
    if (witness.length !== 1) return { wrong: severalKeys };
    return isTaprootSignature(lock, text, signature) ? scheme : { wrong: notOfThis };
  }
  if (witness.length !== 2 || !equalBytes(lock.hash, hash160(key))) return { wrong: notOfThis };
  const hash = toSign(lock, text).preimageWitnessV0(
    0,
    OutScript.encode({ type: 'pkh', hash: lock.hash }),
    allSigned,
    0n,
  );
  if (signature.at(-1) !== allSigned || key.length !== 33) return { wrong: notOfThis };
  const isIts = (lowS: boolean) =>
    verifies(() =>
      secp256k1.verify(signature.subarray(0, -1), hash, key, { prehash: false, format: 'der', lowS }),
    );
  if (isIts(true)) return scheme;
  return { wrong: isIts(false) ? wasChanged : notOfThis };
}

const allSigned = 1;

function isTaprootSignature(lock: Lock & { type: 'tr' }, text: string, signature: Uint8Array): boolean {
  const kind = signature.length === 64 ? 0 : signature.at(64);
  if (signature.length > 65 || (kind !== 0 && kind !== allSigned)) return false;
  if (signature.length === 65 && kind === 0) return false;
  const hash = toSign(lock, text).preimageWitnessV1(0, [OutScript.encode(lock)], kind, [0n]);
  return verifies(() => schnorr.verify(signature.subarray(0, 64), hash, lock.pubkey));
}

/** One spelling each: what is not written in the shortest way was not made by a wallet. */
function witnessOf(bytes: Uint8Array): Uint8Array[] | null {
  try {
    const witness = RawWitness.decode(bytes);
    return equalBytes(RawWitness.encode(witness), bytes) ? witness : null;
  } catch {
    return null;
  }
}

function verifies(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

function toSign(lock: Lock, text: string): Transaction {
  const tag = sha256(utf8ToBytes('BIP0322-signed-message'));
  const said = sha256(concatBytes(tag, tag, utf8ToBytes(text)));
  const toSpend = RawTx.encode({
    version: 0,
    segwitFlag: false,
    inputs: [
      {
        txid: new Uint8Array(32),
        index: 0xffff_ffff,
        finalScriptSig: concatBytes(Uint8Array.of(0, 32), said),
        sequence: 0,
      },
    ],
    outputs: [{ amount: 0n, script: OutScript.encode(lock) }],
    witnesses: undefined,
    lockTime: 0,
  });
  const transaction = new Transaction({ version: 0, allowUnknownOutputs: true });
  transaction.addInput({ txid: hash256(toSpend).toReversed(), index: 0, sequence: 0 });
  transaction.addOutput({ script: Uint8Array.of(0x6a), amount: 0n });
  return transaction;
}
