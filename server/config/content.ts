import { readFileSync } from 'node:fs';
import { parseAmount } from '@tallystick/contract/money';
import { coins, networkIds } from '@tallystick/contract/networks';
import { SimplePrice } from '@tallystick/contract/prices';
import { z } from 'zod';
import { StartRefusal } from '../platform/start-refusal.ts';

/** True until the people who run the site have put in their own values. */
const sample = z.boolean();

const Brand = z.object({ sample, name: z.string(), address: z.string(), supportEmail: z.string() });

const Dollars = z.number().transform((wire, context) => {
  const cents = parseAmount(wire);
  if (cents === null) context.addIssue({ code: 'custom', message: 'not an amount' });
  return cents ?? z.NEVER;
});

const Plans = z.object({
  sample,
  plans: z.array(
    z.object({
      planname: z.string(),
      from: Dollars,
      to: Dollars,
      durationDays: z.number().int(),
      // Two decimals of a percent are hundredths of it, just as dollars and cents.
      roiPercent: Dollars,
      reinvestable: z.boolean().default(false),
      exit: z
        .object({ fromDay: z.number().int(), keepsPercent: Dollars, feePercent: Dollars })
        .nullable()
        .default(null),
    }),
  ),
});

const PaymentMethods = z.object({
  sample,
  methods: z.array(
    z.object({
      paymentname: z.string(),
      paymentaddress: z.string(),
      network: z.string(),
      coin: z.enum(coins.map(({ id }) => id)),
    }),
  ),
});

const WithdrawalMethods = z.object({
  sample,
  methods: z.array(z.object({ methodname: z.string(), network: z.enum(networkIds) })),
});

const SamplePrices = z.object({
  sample,
  simple: SimplePrice,
  bitcoinCloses: z.array(z.number().positive()).min(2),
});

const SamplePeople = z.object({
  sample,
  operators: z.array(
    z.object({ name: z.string(), email: z.string(), password: z.string(), totpSecret: z.string() }),
  ),
  investors: z.array(z.object({ fullname: z.string(), email: z.string() })),
  message: z.object({ name: z.string(), email: z.string(), message: z.string() }),
});

function readContent<T>(name: string, shape: z.ZodType<T>): T {
  try {
    return shape.parse(JSON.parse(readFileSync(new URL(`../../content/${name}`, import.meta.url), 'utf8')));
  } catch (error) {
    const { message, issues } = error as Error & { issues?: z.core.$ZodIssue[] };
    const [first] = issues ?? [];
    throw new StartRefusal(
      `content/${name} cannot be used: ${first ? `${first.path.join('.')}: ${first.message}` : message}`,
    );
  }
}

/** What is said about the company and offered by it lives in `content/`; the web app reads the brand when it is built. */
export const readBrand = () => readContent('brand.json', Brand);
export const readPlans = () => readContent('plans.json', Plans);
export const readPaymentMethods = () => readContent('payment-methods.json', PaymentMethods);
export const readWithdrawalMethods = () => readContent('withdrawal-methods.json', WithdrawalMethods);
export const readSamplePeople = () => readContent('sample-people.json', SamplePeople);
export const readSamplePrices = () => readContent('sample-prices.json', SamplePrices);

/** The files that are still the sample ones, for the launch checklist. Prices and the sample record are demo's own. */
export function sampleContent(): string[] {
  const files = ['brand.json', 'contacts.json', 'team.json'];
  return files.filter((name) => readContent(name, z.object({ sample })).sample);
}
