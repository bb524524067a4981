import { toWire } from '@tallystick/contract/money';
import { type Network, networks } from '@tallystick/contract/networks';
import type {
  PayableWithdrawal,
  PayoutSheet,
  SheetItem,
  UnknownPayout,
} from '@tallystick/contract/operator/payouts';
import { paymentUri } from '../../../platform/chains/payment-uri.ts';
import { unitsToDecimal } from '../../../platform/chains/units.ts';
import type { OddPayout, PayableRow, Sheet } from '../../withdrawal/service.ts';
import { calledBy } from '../rules.ts';

/** Who stands behind the ids: investors, and operators by name. */
export interface Read {
  people: Map<string, { userId: string; fullname: string; email: string }>;
  names: Map<string, string>;
  chainIds: Partial<Record<Network, number>>;
}

type Item = Sheet['items'][number];

export const coinsOn = (network: Network, units: bigint): string =>
  unitsToDecimal(units, networks[network].coin.decimals);

/**
 * While somebody has claimed it a wallet may be told what to pay: neither before, nor once two have released it, nor
 * while one of its investors is frozen.
 */
const isGivenOut = ({ state, frozenBecause }: Sheet): boolean =>
  state === 'claimed' && frozenBecause === null;

/** Not what was sent already, or is said to have been: it would be paid twice. */
export const isToPay = ({ status, chainTxid, seen }: Item): boolean =>
  status === 'approved' && chainTxid === null && seen === null;

/** One transaction pays all of it: with one of them paid otherwise it would pay that twice. */
export const psbtOf = (sheet: Sheet): Buffer | null =>
  isGivenOut(sheet) && sheet.items.every(isToPay) ? sheet.psbt : null;

function personToWire(userId: string, { people }: Read): PayableWithdrawal['investor'] {
  const { fullname = '', email = '' } = people.get(userId) ?? {};
  return { _id: userId, fullname: calledBy({ fullname, email }), email };
}

const tagToWire = (tag: bigint | null) => (tag === null ? null : String(tag));

export const payableToWire = (row: PayableRow, read: Read): PayableWithdrawal => ({
  _id: row.id,
  transactionid: row.transactionid,
  investor: personToWire(row.userId, read),
  withdrawaladdress: row.address,
  tag: tagToWire(row.tag),
  amount: toWire(row.amountCents),
  approvedat: (row.approvedAt ?? row.requestedAt).toISOString(),
  hindered: row.hindered,
});

/** Null where one transaction pays all of it, unless somebody has claimed it, and once it is paid. */
export function uriOf(sheet: Sheet, item: Item, chainIds: Read['chainIds']): string | null {
  if (sheet.txid || !isGivenOut(sheet) || !isToPay(item)) return null;
  const { network } = sheet;
  const { address, units, tag } = item;
  const to = { network, address, units, tag: tag === null ? null : Number(tag) };
  return paymentUri({ ...to, chainId: chainIds[network] ?? null });
}

/** What the first of two has named and the second has not paid nothing yet. */
function itemToWire(sheet: Sheet, item: Item, read: Read): SheetItem {
  const paidWith = item.status === 'paid' ? item.chainTxid : null;
  return {
    _id: item.withdrawalId,
    transactionid: item.transactionid,
    investor: personToWire(item.userId, read),
    withdrawaladdress: item.address,
    tag: tagToWire(item.tag),
    amount: toWire(item.amountCents),
    coins: coinsOn(sheet.network, item.units),
    status: item.status === 'paid' || item.status === 'rejected' ? item.status : 'approved',
    chainoutput: sheet.txid ? item.position : null,
    chaintransactionid: paidWith ?? item.seen?.txid ?? null,
    confirmations: item.seen?.confirmations ?? null,
    payuri: uriOf(sheet, item, read.chainIds),
  };
}

function transactionToWire(sheet: Sheet): PayoutSheet['transaction'] {
  const { network, txid, satPerVbyte, vbytes, feeUnits, changeAddress, changePath, changeUnits } = sheet;
  if (txid === null || satPerVbyte === null || vbytes === null || feeUnits === null) return null;
  const change =
    changeAddress === null || changePath === null || changeUnits === null
      ? null
      : { address: changeAddress, path: changePath, coins: coinsOn(network, changeUnits) };
  return {
    chaintransactionid: txid,
    satpervbyte: satPerVbyte,
    vbytes,
    fee: coinsOn(network, feeUnits),
    change,
    inputs: sheet.inputs.map((coin) => ({
      outpoint: `${coin.txid}:${coin.output}`,
      path: coin.path ?? '',
      coins: coinsOn(network, coin.units),
    })),
    replaces: sheet.replaces,
    psbt: psbtOf(sheet)?.toString('base64') ?? null,
  };
}

export function sheetToWire(sheet: Sheet, read: Read): PayoutSheet {
  const by = (operator: string | null, at: Date | null) =>
    operator && at ? { operator, name: read.names.get(operator) ?? operator, at: at.toISOString() } : null;
  const first = by(sheet.firstReleasedBy, sheet.firstReleasedAt);
  const { items } = sheet;
  return {
    _id: sheet.id,
    number: sheet.number,
    network: sheet.network,
    state: sheet.state,
    made: by(sheet.madeBy, sheet.madeAt) ?? { operator: sheet.madeBy, name: sheet.madeBy, at: '' },
    expiresat: sheet.claimedAt ? null : sheet.expiresAt.toISOString(),
    claimed: by(sheet.claimedBy, sheet.claimedAt),
    firstreleased: first && { ...first, reason: sheet.firstReleasedReason ?? '' },
    released: by(sheet.releasedBy, sheet.releasedAt),
    amount: toWire(items.reduce((sum, { amountCents }) => sum + amountCents, 0n)),
    coins: coinsOn(
      sheet.network,
      items.reduce((sum, { units }) => sum + units, 0n),
    ),
    price: sheet.price,
    pricesource: sheet.priceSource,
    priceat: sheet.priceAt.toISOString(),
    needed: sheet.needed,
    hindered: sheet.frozenBecause,
    transaction: transactionToWire(sheet),
    items: items.map((item) => itemToWire(sheet, item, read)),
  };
}

export const oddToWire = (row: OddPayout): UnknownPayout => ({
  _id: row.id,
  why: row.transactionid ? 'vanished' : 'unknown',
  transactionid: row.transactionid,
  network: row.network,
  chaintransactionid: row.txid,
  chainoutput: row.output,
  address: row.address,
  tag: tagToWire(row.tag),
  coins: coinsOn(row.network, row.units),
  confirmations: row.confirmations,
  seenat: row.seenAt.toISOString(),
});
