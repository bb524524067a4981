import { type Network, type NetworkFacts, networks } from '@tallystick/contract/networks';
import { checksummed } from '../address.ts';
import { checkBitcoinText, readAddress } from './bitcoin/signed-message.ts';
import { checkEvmText } from './evm/signed-message.ts';
import type { Checked, SignedText } from './signed-text.ts';
import { checkXrpText } from './xrp/signed-message.ts';

/** The one spelling of an address that may be written in several: what is signed must not depend on who typed it. */
export function spelledAddress(network: Network, address: string): string {
  const facts: NetworkFacts = networks[network];
  if (facts.family === 'evm') return checksummed(address);
  return facts.family === 'xrp' ? address : (readAddress(facts, address)?.spelled ?? address);
}

/** Whether the key of an address has signed a text: pure computing, with what everybody may know. */
export function checkSignedText(network: Network, signed: SignedText): Checked {
  const facts: NetworkFacts = networks[network];
  switch (facts.family) {
    case 'bitcoin':
      return checkBitcoinText(facts, signed);
    case 'evm':
      return checkEvmText(signed);
    case 'xrp':
      return checkXrpText(signed);
  }
}
