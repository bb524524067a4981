import { ECDH } from 'node:crypto';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import { p2wpkh } from '@scure/btc-signer';
import { type Network, networks } from '@tallystick/contract/networks';
import { checksummed } from '../address.ts';
import { type BitcoinNetwork, bitcoinParams } from './bitcoin/params.ts';

export type KeyKind = { family: 'bitcoin'; network: BitcoinNetwork } | { family: 'evm' };
/** Receiving addresses are on branch 0, change on branch 1. */
type Branch = 0 | 1;

export interface DerivedAddress {
  address: string;
  /** As in `Watched` of `chain.ts`. */
  matchKey: string;
  path: string;
  /** What a wallet that signs knows its key again by: the master key's fingerprint, 0 where nobody told it. */
  fingerprint: number;
  publicKey: Uint8Array;
}

export interface AccountKey {
  /** Such as `m/84'/0'/3'`. */
  path: string;
  addressAt(branch: Branch, index: number): DerivedAddress;
}

/** The bytes that each spelling of a key begins with (SLIP-132); those of private keys are refused by their letters. */
const versionOf: Record<string, number> = {
  xpub: 0x0488b21e,
  zpub: 0x04b24746,
  tpub: 0x043587cf,
  vpub: 0x045f1cf6,
};
/** Spellings of other kinds of addresses: wrapped segwit, and those of several signers. */
const otherKinds = ['ypub', 'upub', 'Ypub', 'Zpub', 'Upub', 'Vpub'];
const indexMax = HARDENED_OFFSET - 1;
const accountDepth = 3;
const base58check = createBase58check(sha256);

class KeyRefusal extends Error {}

function purposeOf(kind: KeyKind) {
  if (kind.family === 'evm') {
    return { chain: '', spellings: ['xpub'], purpose: 44, coinType: 60 };
  }
  const isMain = kind.network === 'mainnet';
  return {
    chain: isMain ? '' : `'s ${kind.network}`,
    spellings: isMain ? ['zpub', 'xpub'] : ['vpub', 'tpub'],
    purpose: 84,
    coinType: bitcoinParams[kind.network].coinType,
  };
}

/** Wallets write where a key comes from before it: `[d34db33f/84'/0'/3']xpub…`, with h for ' now and then. */
const originShape = /^\[([0-9a-fA-F]{8})((?:\/\d{1,10}['hH]?)*)\](.*)$/s;

function read(given: string, kind: KeyKind, taker: string) {
  const { chain, spellings, purpose, coinType } = purposeOf(kind);
  const wanted = `${taker}${chain} takes an account key that begins with ${spellings.join(' or ')}.`;
  const typed = given.trim();
  const [, fingerprint = '00000000', originPath = null, text = typed] = originShape.exec(typed) ?? [];
  const spelling = text.slice(0, 4);
  if (/^[xyztuvYZUV]prv/.test(text) || /^(\w+\s+){11,}\w+$/.test(text)) {
    throw new KeyRefusal(
      'This is a private key. Whoever has it can take the coins: treat it as lost, and give the public key.',
    );
  }
  if (otherKinds.includes(spelling))
    throw new KeyRefusal(`This key is for another kind of addresses. ${wanted}`);
  const version = versionOf[spelling];
  if (version === undefined) throw new KeyRefusal(`This is not an extended public key. ${wanted}`);
  if (!spellings.includes(spelling)) throw new KeyRefusal(`This key belongs to another network. ${wanted}`);
  const key = decode(text, version);
  const account = key.index - HARDENED_OFFSET;
  if (key.depth !== accountDepth || account < 0) {
    throw new KeyRefusal(
      `This is not the key of an account: its path would be m/${purpose}'/${coinType}'/n', three steps deep.`,
    );
  }
  const path = `m/${purpose}'/${coinType}'/${account}'`;
  if (originPath !== null && `m${originPath.replace(/[hH]/g, "'")}` !== path) {
    throw new KeyRefusal(`The path before the key is not its own: it would be ${path}.`);
  }
  return { key, path, fingerprint: Number.parseInt(fingerprint, 16) };
}

function decode(text: string, version: number): HDKey {
  try {
    base58check.decode(text);
  } catch {
    throw new KeyRefusal('A character of this key is missing or wrong. Copy it again.');
  }
  try {
    return HDKey.fromExtendedKey(text, { public: version, private: 0 });
  } catch {
    throw new KeyRefusal('This is not an extended public key: what it encodes is no point of the curve.');
  }
}

/** Why addresses cannot be derived from what was typed, in words for the person who typed it; null when they can. */
export function accountKeyRefusal(network: Network, text: string, kind: KeyKind): string | null {
  try {
    read(text, kind, networks[network].name);
    return null;
  } catch (error) {
    if (error instanceof KeyRefusal) return error.message;
    throw error;
  }
}

/** An account's extended public key, from which its addresses follow and nothing else: no coin can be moved with it. */
export function createAccountKey(text: string, kind: KeyKind): AccountKey {
  // Addresses are those of a family. What a person types for one of its networks was looked at before.
  const { key, path, fingerprint } = read(text, kind, kind.family);
  const branches = [key.deriveChild(0), key.deriveChild(1)];
  const write = kind.family === 'evm' ? evmAddress : bitcoinAddress(kind.network);
  return {
    path,

    addressAt(branch, index) {
      const publicKey =
        Number.isInteger(index) && index >= 0 && index <= indexMax
          ? branches[branch]?.deriveChild(index).publicKey
          : undefined;
      if (!publicKey) throw new RangeError(`no address has the number ${branch}/${index}`);
      return { ...write(publicKey), path: `${path}/${branch}/${index}`, fingerprint, publicKey };
    },
  };
}

/** The last twenty bytes of the hash of the whole point, without the byte that says it is whole. */
function evmAddress(publicKey: Uint8Array) {
  const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer;
  const matchKey = `0x${bytesToHex(keccak_256(point.subarray(1)).subarray(-20))}`;
  return { matchKey, address: checksummed(matchKey) };
}

function bitcoinAddress(network: BitcoinNetwork) {
  return (publicKey: Uint8Array) => {
    const { address = '', script } = p2wpkh(publicKey, bitcoinParams[network]);
    return { address, matchKey: bytesToHex(script) };
  };
}
