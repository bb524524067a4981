import { Transaction } from '@scure/btc-signer';
import type { Network } from '@tallystick/contract/networks';
import type { Context } from '../../context.ts';
import type { Logger } from '../../platform/logger.ts';
import { times } from '../at-once.ts';
import { secondMs } from '../clock.ts';
import { newInvestor } from '../ledger/investors.ts';
import { newBitcoinAddress, type Offers, operator, withOffers } from '../money.ts';
import { startTestApp } from '../start-app.ts';
import { startBcoin } from './bcoin.ts';
import { dealings, satoshi, setWayIn, startChainServer } from './chain-server.ts';
import { startPriceServer } from './price-server.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from './seeds.ts';

const master = masterKeyOf(publishedWords);
/** With where it comes from, as a wallet exports it: a device that signs knows its key again by that. */
const signersKey = `[73c5da0a/84h/1h/0h]${publicKeyAt(master, "m/84'/1'/0'", 'vpub')}`;

/** As a hardware wallet does: it finds its keys by their paths and signs; nothing else is changed. */
export function signed(psbt: Uint8Array | null): string {
  if (!psbt) throw new Error('there is nothing to sign');
  const transaction = Transaction.fromPSBT(psbt);
  transaction.sign(master as Parameters<Transaction['sign']>[0]);
  transaction.finalize();
  return Buffer.from(transaction.extract()).toString('hex');
}

interface Wish {
  userId: string;
  dollars: number;
  method?: keyof Offers['withdrawalMethods'];
  address?: string;
  tag?: bigint;
}

/** What investors and operators do about payouts in these tests. */
export function payoutDealings(server: () => Pick<Context, 'withdrawal' | 'owner'>, offers: () => Offers) {
  const approved = async ({ userId, dollars, method = 'Bitcoin', address, tag }: Wish): Promise<string> => {
    const { withdrawal } = server();
    const { id } = await withdrawal.askForWithdrawal({
      userId,
      methodId: offers().withdrawalMethods[method],
      amountCents: BigInt(Math.round(dollars * 100)),
      address: address ?? newBitcoinAddress('bcrt'),
      idempotencyKey: null,
      ...(tag !== undefined && { tag }),
    });
    await withdrawal.approveWithdrawal({ withdrawalId: id, actor: operator('ada'), idempotencyKey: null });
    return id;
  };

  return {
    approved,

    make: (withdrawalIds: string[], network: Network = 'bitcoin', by = 'ada') => {
      const satPerVbyte = network === 'bitcoin' ? 5 : null;
      return server().withdrawal.makeSheet({ network, withdrawalIds, satPerVbyte, actor: operator(by) });
    },
    claim: ({ id }: { id: string }, by = 'ada') =>
      server().withdrawal.claimSheet({ sheetId: id, actor: operator(by) }),
    async release({ id }: { id: string }): Promise<void> {
      for (const by of ['ada', 'ben']) {
        const pressed = { sheetId: id, reason: 'it was not sent', actor: operator(by) };
        await server().withdrawal.releaseSheet(pressed);
      }
    },
    sheet: ({ id }: { id: string }) => server().withdrawal.sheet({ sheetId: id }),
    pay: (withdrawalId: string, by: string, chainTxid: string, chainOutput: number | null = null) =>
      server().withdrawal.markWithdrawalPaid({
        withdrawalId,
        chainTxid,
        chainOutput,
        actor: operator(by),
        idempotencyKey: null,
      }),
    reject: (withdrawalId: string, by = 'eve') =>
      server().withdrawal.rejectWithdrawal({
        withdrawalId,
        reason: 'not wanted',
        actor: operator(by),
        idempotencyKey: null,
      }),
    async statusOf(withdrawalId: string) {
      const { rows } = await server().owner.query(
        `select status, chain_txid as txid, chain_output as output, ended_by as by, first_paid_by as first
         from withdrawals where id = $1`,
        [withdrawalId],
      );
      return rows[0];
    },
    /** What is left in the wallets and what was paid out altogether, so that nothing is paid twice. */
    async paidOut(): Promise<bigint> {
      const { rows } = await server().owner.query(
        `select balance_cents as cents from ledger_accounts where kind = 'payouts'`,
      );
      return BigInt(rows[0]?.cents ?? 0);
    },
  };
}

/** Two servers that read one Bitcoin node, and an investor whose coins are ours by now, in several pieces. */
export async function startBitcoinPayouts(logger?: Logger) {
  const [node, prices, test] = await Promise.all([startBcoin(), startPriceServer(), startTestApp()]);
  const settings = { nodeUrls: { bitcoin: node.url }, priceApiBase: prices.base };
  const server = await startChainServer(test, settings, logger && { logger });
  const other = await startChainServer(test, settings);
  const offers = await withOffers(test);
  await setWayIn(server.context, 'Bitcoin', { key: signersKey });
  await server.read();
  const userId = await newInvestor(test);
  const { payTo } = dealings(() => server.context);
  const deals = payoutDealings(
    () => server.context,
    () => offers,
  );

  const self = {
    node,
    test,
    server,
    other,
    userId,
    deals,
    async mined(blocks = 2): Promise<void> {
      await node.mine(blocks);
      test.clock.advance(secondMs);
      await server.read();
    },
    /** To an address of the investor. */
    fund: async (coins: number) =>
      node.send({ address: (await payTo(userId)).address, units: satoshi(coins) }),
    some: (count: number, dollars = 100) =>
      Promise.all(times(count, (n) => deals.approved({ userId, dollars: dollars + n }))),
    async close(): Promise<void> {
      await Promise.all([server.close(), other.close()]);
      await test.close();
      await Promise.all([prices.close(), node.close()]);
    },
  };
  for (const coins of times(6, (n) => 0.02 + n / 1000)) await self.fund(coins);
  await self.mined();
  return self;
}
