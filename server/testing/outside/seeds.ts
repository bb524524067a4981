import { pbkdf2Sync } from 'node:crypto';
import { HDKey } from '@scure/bip32';

/** The words that the published test vectors of BIP39 and BIP84 use. */
export const publishedWords = `${'abandon '.repeat(11)}about`;
/** The words whose accounts a fresh anvil fills with coins. */
export const anvilWords = `${'test '.repeat(11)}junk`;

/** The master key of a wallet, as BIP39 makes it from words. Only tests have one: the server never does. */
export function masterKeyOf(words: string): HDKey {
  return HDKey.fromMasterSeed(pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512'));
}

const versions = { xpub: 0x0488b21e, zpub: 0x04b24746, tpub: 0x043587cf, vpub: 0x045f1cf6 };

/** What a hardware wallet shows as the public key of an account, in one of its spellings. */
export function publicKeyAt(master: HDKey, path: string, spelling: keyof typeof versions): string {
  const key = master.derive(path);
  const version = { public: versions[spelling], private: 0 };
  return new HDKey({
    versions: version,
    depth: key.depth,
    index: key.index,
    parentFingerprint: key.parentFingerprint,
    chainCode: key.chainCode as Uint8Array,
    publicKey: key.publicKey as Uint8Array,
  }).publicExtendedKey;
}
