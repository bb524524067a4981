/** A text that the key of an address is said to have signed. */
export interface SignedText {
  /** In its one spelling. */
  address: string;
  text: string;
  /** As it was pasted, without white space. */
  signature: string;
  /** Where a chain's addresses do not give it away and its signatures neither. */
  publicKey: string | null;
}

/** By which published rule a signature holds; `docs/trust.md` names them, and the public log. */
export type SigningScheme = 'bip137' | 'bip322' | 'eip191' | 'xrp';

/** The signature in its one spelling; or why it does not hold, for the operator who pasted it. */
export type Checked =
  | { scheme: SigningScheme; signature: string; publicKey: string | null }
  | { wrong: string };

export const notOfThis =
  'This signature is not one of this message by this address. Sign exactly the message that is shown, with the key of this address.';
/** Every signature has a twin that anyone can compute; wallets give out the smaller one. */
export const wasChanged =
  'This signature was changed after the wallet had made it. Paste it as the wallet shows it.';
