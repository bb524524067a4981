import { anyOf, type Network, type NetworkFacts, networkIds, networks } from './networks.ts';

interface TransactionIds {
  shape: RegExp;
  /** Letters may be typed large or small; one spelling is kept. */
  spell(typed: string): string;
  /** How a person recognises one. */
  looks: string;
}

const small = (typed: string) => typed.toLowerCase();
const transactionIds: Record<NetworkFacts['family'], TransactionIds> = {
  bitcoin: { shape: /^[0-9a-f]{64}$/i, spell: small, looks: '64 characters, 0 to 9 and a to f' },
  evm: { shape: /^0x[0-9a-f]{64}$/i, spell: small, looks: '0x and 64 characters, 0 to 9 and a to f' },
  xrp: {
    shape: /^[0-9a-f]{64}$/i,
    spell: (typed) => typed.toUpperCase(),
    looks: '64 characters, 0 to 9 and A to F',
  },
};

/**
 * The id of a transaction in the one spelling that its network has for it, so that the same payment is known again;
 * null when it is not an id of this network.
 */
export function spelledTxid(network: Network, typed: string): string | null {
  const { shape, spell } = transactionIds[networks[network].family];
  const text = typed.trim();
  return shape.test(text) ? spell(text) : null;
}

const named = (network: Network) => `${networks[network].article} ${networks[network].name}`;

export function txidForm(network: Network): string {
  return `The id of ${named(network)} transaction is ${transactionIds[networks[network].family].looks}.`;
}

/** Only in this family does one transaction make several payments that can be told apart. */
export const hasOutputs = (network: Network): boolean => networks[network].family === 'bitcoin';
export const outputRefusal = `Only ${anyOf(networkIds.filter(hasOutputs).map(named))} transaction has numbered outputs.`;

/** Where no output is named the whole transaction is meant, whatever its outputs. */
export function isSameOutput(one: number | null, other: number | null): boolean {
  return one === null || other === null || one === other;
}
