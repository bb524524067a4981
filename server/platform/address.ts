import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { Network } from '@tallystick/contract/chain';
import { isValidClassicAddress, isValidXAddress } from 'ripple-address-codec';

interface NetworkRule {
  name: string;
  /** How a person recognises an address of this network. */
  looks: string;
  accepts(address: string): boolean;
}

const base58check = createBase58check(sha256);
/** The first byte of a main-network address: pay to a key, pay to a script. */
const bitcoinVersions = [0x00, 0x05];
const witnessVersionMax = 16;

function isBase58Bitcoin(address: string): boolean {
  try {
    const bytes = base58check.decode(address);
    return bytes.length === 21 && bitcoinVersions.includes(bytes[0] ?? -1);
  } catch {
    return false;
  }
}

/** Version 0 is encoded with bech32, later ones with bech32m; the wrong one of the two is a mistyped address. */
function isSegwitBitcoin(address: string): boolean {
  for (const coder of [bech32, bech32m]) {
    const decoded = coder.decodeUnsafe(address, 90);
    if (decoded?.prefix !== 'bc') continue;
    const [version = -1, ...words] = decoded.words;
    const program = coder.fromWordsUnsafe(words);
    if (!program || version < 0 || version > witnessVersionMax) continue;
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

/** All lower or all upper case carries no checksum and is taken; mixed case has to be the checksum of EIP-55. */
function isEvm(address: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false;
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits.toLowerCase())));
  return [...digits].every((digit, index) => {
    const upper = Number.parseInt(hash[index] ?? '0', 16) >= 8;
    return digit === (upper ? digit.toUpperCase() : digit.toLowerCase());
  });
}

const rules: Record<Network, NetworkRule> = {
  bitcoin: {
    name: 'Bitcoin',
    looks: 'starts with bc1, 1 or 3',
    accepts: (address) => isBase58Bitcoin(address) || isSegwitBitcoin(address),
  },
  ethereum: { name: 'Ethereum', looks: 'starts with 0x', accepts: isEvm },
  bnb: { name: 'BNB Smart Chain', looks: 'starts with 0x', accepts: isEvm },
  xrp: { name: 'XRP Ledger', looks: 'starts with r', accepts: (address) => isValidClassicAddress(address) },
};

const testNetworkLooks = /^(tb1|bcrt1|[mn2][1-9A-HJ-NP-Za-km-z]{25,34}$)/;

function foreignNetwork(network: Network, address: string): string | null {
  const others = (Object.keys(rules) as Network[]).filter(
    (other) => rules[other].name !== rules[network].name,
  );
  const match = others.find((other) => rules[other].accepts(address));
  if (!match) return null;
  return match === 'bnb' ? rules.ethereum.name : rules[match].name;
}

/** Why money cannot be sent to an address over a network, in words for the person who typed it; null when it can. */
export function addressRefusal(network: Network, address: string): string | null {
  const rule = rules[network];
  if (rule.accepts(address)) return null;
  const expected = `${rule.name} ${rule.looks}.`;
  if (/\s/.test(address)) return `Take the spaces out of the address. ${expected}`;
  const foreign = foreignNetwork(network, address);
  if (foreign)
    return `This looks like ${/^[AEIOUX]/.test(foreign) ? 'an' : 'a'} ${foreign} address. ${expected}`;
  if (network === 'xrp' && isValidXAddress(address)) {
    return `Use the classic form of the address. ${expected}`;
  }
  if (testNetworkLooks.test(address)) return `This is an address of a test network. ${expected}`;
  if (/^0x[0-9a-fA-F]{40}$/.test(address))
    return 'The capitals in this address do not match its checksum. Copy it again.';
  return `This is not a valid ${rule.name} address: a character may be missing or wrong. ${expected}`;
}
