import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import {
  isReadable,
  type Network,
  type NetworkFacts,
  networkIds,
  networks,
} from '@tallystick/contract/networks';
import { isValidClassicAddress, isValidXAddress } from 'ripple-address-codec';
import { type BitcoinNetwork, bitcoinParams } from './chains/bitcoin/params.ts';

const base58check = createBase58check(sha256);
const witnessVersionMax = 16;

function isBase58(address: string, versions: readonly number[]): boolean {
  try {
    const bytes = base58check.decode(address);
    return bytes.length === 21 && versions.includes(bytes[0] ?? -1);
  } catch {
    return false;
  }
}

/** Version 0 is encoded with bech32, later ones with bech32m; the wrong one of the two is a mistyped address. */
function isSegwit(address: string, prefix: string): boolean {
  for (const coder of [bech32, bech32m]) {
    const decoded = coder.decodeUnsafe(address, 90);
    if (decoded?.prefix !== prefix) continue;
    const [version = 0, ...words] = decoded.words;
    const program = coder.fromWordsUnsafe(words);
    if (!program || version > witnessVersionMax) continue;
    if (version === 0) return coder === bech32 && [20, 32].includes(program.length);
    return (
      coder === bech32m &&
      program.length >= 2 &&
      program.length <= 40 &&
      (version !== 1 || program.length === 32)
    );
  }
  return false;
}

/** An EVM address in the spelling of EIP-55, whose capitals are a checksum. */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  return `0x${digits.replace(/[a-f]/g, (digit, at: number) => ((hash[at] ?? '') >= '8' ? digit.toUpperCase() : digit))}`;
}

/** All lower or all upper case carries no checksum and is taken; mixed case has to be the checksum of EIP-55. */
function isEvm(address: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false;
  const digits = address.slice(2);
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isPlain || address === checksummed(address);
}

/** On a test network addresses begin in another way, so that nobody mixes them up. */
function isTestAddress(address: string, bitcoinNetwork: BitcoinNetwork): boolean {
  const { bech32: prefix, pubKeyHash, scriptHash } = bitcoinParams[bitcoinNetwork];
  return isBase58(address, [pubKeyHash, scriptHash]) || isSegwit(address, prefix);
}

function accepts(network: Network, address: string, bitcoinNetwork: BitcoinNetwork): boolean {
  const facts: NetworkFacts = networks[network];
  switch (facts.family) {
    case 'bitcoin':
      if (bitcoinNetwork !== 'mainnet' && facts.isReadable) return isTestAddress(address, bitcoinNetwork);
      return isBase58(address, facts.address.versions) || isSegwit(address, facts.address.prefix);
    case 'evm':
      return isEvm(address);
    case 'xrp':
      return isValidClassicAddress(address);
  }
}

const testNetworkLooks = /^(tb1|bcrt1|[mn2][1-9A-HJ-NP-Za-km-z]{25,34}$)/;

/** Why money cannot be sent to an address over a network, in words for the person who typed it; null when it can. */
export function addressRefusal(
  network: Network,
  address: string,
  bitcoinNetwork: BitcoinNetwork = 'mainnet',
): string | null {
  if (accepts(network, address, bitcoinNetwork)) return null;
  const { name, family, address: rule } = networks[network];
  const isTest = family === 'bitcoin' && isReadable(network) && bitcoinNetwork !== 'mainnet';
  const expected = isTest
    ? `Bitcoin's ${bitcoinNetwork} starts with ${bitcoinParams[bitcoinNetwork].bech32}1.`
    : `${name} ${rule.looks}.`;
  if (/\s/.test(address)) return `Take the spaces out of the address. ${expected}`;
  const other = networkIds.find((each) => each !== network && accepts(each, address, 'mainnet'));
  if (other) return `This looks like ${networks[other].article} ${networks[other].name} address. ${expected}`;
  if (family === 'xrp' && isValidXAddress(address)) {
    return `Use the classic form of the address. ${expected}`;
  }
  if (!isTest && testNetworkLooks.test(address)) return `This is an address of a test network. ${expected}`;
  if (/^0x[0-9a-fA-F]{40}$/.test(address))
    return 'The capitals in this address do not match its checksum. Copy it again.';
  return `This is not a valid ${name} address: a character may be missing or wrong. ${expected}`;
}
