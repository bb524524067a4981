import { hash } from 'node:crypto';
import { hexToBytes } from '@noble/hashes/utils.js';
import { Address, bip32Path, OutScript, Transaction } from '@scure/btc-signer';
import type { DerivedAddress } from '../account-key.ts';
import { dustUnits, type Outpoint, PayoutRefusal, selectCoins } from './coin-selection.ts';
import { type BitcoinNetwork, bitcoinParams } from './params.ts';

export interface Coin extends Outpoint {
  /** The address of ours that holds it. */
  at: DerivedAddress;
}

export interface PayoutOrder {
  network: BitcoinNetwork;
  coins: Coin[];
  /** Each gets an output of its own, with the number that it has here. */
  payments: { address: string; units: bigint }[];
  change: DerivedAddress;
  satPerVbyte: number;
  /** Coins (`outpointKey`) that must be spent: with one of an earlier payout only one of both can confirm. */
  mustSpend?: string[];
}

export interface Payout {
  /** Version 0, as a file or QR code has it. */
  psbt: Uint8Array;
  /** It will not change any more: signatures of these inputs are not part of it. */
  txid: string;
  feeUnits: bigint;
  /** At most, once signed. */
  vbytes: number;
  /** What is spent, in the order of the inputs. */
  coins: Coin[];
  change: { output: number; units: bigint } | null;
}

/** A later transaction may replace this one until it is in a block (BIP125). */
const replaceable = 0xfffffffd;

/**
 * An unsigned payment of our coins, from public keys alone. Each input says which key signs it, and the change that it
 * comes back to us, so that a hardware wallet needs nothing else. The same order gives the same bytes.
 */
export function buildPayout(order: PayoutOrder): Payout {
  const { network, payments, change, mustSpend = [] } = order;
  if (payments.length === 0) throw new PayoutRefusal('There is nothing to pay.');
  const outputs = payments.map(({ address, units }) => ({ script: scriptOf(address, network), units }));
  for (const [at, { script, units }] of outputs.entries()) {
    if (units < dustUnits(script)) {
      throw new PayoutRefusal(
        `${units} satoshi for ${payments[at]?.address} are too little: nodes pass on ${dustUnits(script)} or more.`,
      );
    }
  }
  const changeScript = hexToBytes(change.matchKey);
  const { coins, feeUnits, changeUnits, vbytes } = selectCoins({
    coins: order.coins,
    mustSpend,
    outputs: outputs.map(({ script, units }) => ({ scriptBytes: script.length, units })),
    changeScript,
    satPerVbyte: order.satPerVbyte,
  });

  const transaction = new Transaction({ version: 2, lockTime: 0 });
  for (const { txid, output, units, at } of coins) {
    transaction.addInput({
      txid,
      index: output,
      sequence: replaceable,
      witnessUtxo: { script: hexToBytes(at.matchKey), amount: units },
      bip32Derivation: [derivation(at)],
    });
  }
  for (const { script, units } of outputs) transaction.addOutput({ script, amount: units });
  if (changeUnits !== null) {
    transaction.addOutput({
      script: changeScript,
      amount: changeUnits,
      bip32Derivation: [derivation(change)],
    });
  }
  return {
    psbt: transaction.toPSBT(0),
    txid: txidOf(transaction.unsignedTx),
    feeUnits,
    vbytes,
    coins,
    change: changeUnits === null ? null : { output: payments.length, units: changeUnits },
  };
}

function derivation({ publicKey, fingerprint, path }: DerivedAddress) {
  return [publicKey, { fingerprint, path: bip32Path(path) }] as [
    Uint8Array,
    { fingerprint: number; path: number[] },
  ];
}

function scriptOf(address: string, network: BitcoinNetwork): Uint8Array {
  try {
    return OutScript.encode(Address(bitcoinParams[network]).decode(address));
  } catch {
    throw new PayoutRefusal(`${address} is not an address of Bitcoin's ${network}.`);
  }
}

function txidOf(unsigned: Uint8Array): string {
  const digest = hash('sha256', hash('sha256', unsigned, 'buffer'), 'buffer');
  return Buffer.from(digest).reverse().toString('hex');
}
