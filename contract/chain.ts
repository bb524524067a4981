/** The networks that payments come in and go out on. */
export const paymentNetworks = ['bitcoin', 'ethereum', 'bnb', 'xrp'] as const;
export type Network = (typeof paymentNetworks)[number];

interface TxidForm {
  shape: RegExp;
  /** Letters may be typed large or small; one spelling is kept. */
  spell(typed: string): string;
  /** How a person recognises one. */
  looks: string;
}

const small = (typed: string) => typed.toLowerCase();
const evm = { shape: /^0x[0-9a-f]{64}$/i, spell: small, looks: '0x and 64 characters, 0 to 9 and a to f' };
const forms: Record<Network, TxidForm & { name: string }> = {
  bitcoin: {
    name: 'a Bitcoin',
    shape: /^[0-9a-f]{64}$/i,
    spell: small,
    looks: '64 characters, 0 to 9 and a to f',
  },
  ethereum: { name: 'an Ethereum', ...evm },
  bnb: { name: 'a BNB Smart Chain', ...evm },
  xrp: {
    name: 'an XRP Ledger',
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
  const { shape, spell } = forms[network];
  const text = typed.trim();
  return shape.test(text) ? spell(text) : null;
}

export function txidForm(network: Network): string {
  const { name, looks } = forms[network];
  return `The id of ${name} transaction is ${looks}.`;
}

/** Only here does one transaction make several payments that can be told apart. */
export const hasOutputs = (network: Network): boolean => network === 'bitcoin';

/** Where no output is named the whole transaction is meant, whatever its outputs. */
export function isSameOutput(one: number | null, other: number | null): boolean {
  return one === null || other === null || one === other;
}
