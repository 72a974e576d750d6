import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Stack } from '@gateway/local-stack';
import { entryResourceSchema, payoutResourceSchema } from '@gateway/public-api';
import type { Baseline } from '../baseline/start-baseline.ts';
import type { Measurement } from '../compare.ts';
import { callApi, feeCents, inParallel, readBalance, type Merchant, readList } from '../environment/merchants.ts';
import type { LoadStep } from '../load/load.ts';
import type { Invariant } from '../report/report.ts';

const amountCents = 100;
/** More than a run can spend. */
export const fundsCents = 1_000_000_000;

/** A payout as merchants send it. */
export const creationStep: LoadStep = {
  method: 'POST',
  path: '/v1/payouts',
  body: JSON.stringify({
    amount_cents: amountCents,
    external_id: '{n}',
    pix_key: 'maria@example.com',
    pix_key_type: 'email',
    recipient: { name: 'Maria da Silva', document: '52998224725' },
    kind: 'PLAYER_PAYOUT',
  }),
  expect: 201,
};

const debitCents = amountCents + feeCents;

interface Totals {
  readonly payouts: number;
  readonly paid: number;
  readonly entriesCents: number;
  readonly availableCents: number;
}

/** By what the API says: one payout per answer, each paid, each debited once, and entries that add up to the balance. */
export async function payoutsHold(
  stack: Stack,
  what: string,
  merchants: readonly Merchant[],
  answered: number,
): Promise<Invariant[]> {
  const totals = await inParallel(merchants, (merchant) => readTotals(stack, merchant));
  const sum = (figure: (one: Totals) => number): number => totals.reduce((total, one) => total + figure(one), 0);
  const payouts = sum((one) => one.payouts);
  const paid = sum((one) => one.paid);
  const available = sum((one) => one.availableCents);
  const owed = merchants.length * fundsCents - answered * debitCents;
  const unexplained = totals.filter(({ entriesCents, availableCents }) => entriesCents !== availableCents).length;
  return [
    {
      what: `${what}: one payout per answer`,
      holds: payouts === answered,
      found: `${payouts} for ${answered} answers`,
    },
    { what: `${what}: every payout came to its end`, holds: paid === payouts, found: `${paid} PAID of ${payouts}` },
    { what: `${what}: each debited once`, holds: available === owed, found: `${available} of ${owed} cents left` },
    { what: `${what}: entries = balance`, holds: unexplained === 0, found: `${unexplained} accounts differ` },
  ];
}

const paidDeadlineMs = 120_000;
const paidPollMs = 500;

/** Waits for the provider's outcomes; payouts that have none by then are found by what is checked next. */
export async function allPaid(stack: Stack, merchants: readonly Merchant[]): Promise<void> {
  const deadline = performance.now() + paidDeadlineMs;
  const underWay = z.object({ data: z.array(z.unknown()) });
  await inParallel(merchants, async ({ headers }) => {
    const url = `${stack.baseUrl}/v1/payouts?status=PROCESSING&limit=1`;
    while (performance.now() < deadline) {
      if ((await callApi({ method: 'GET', url, headers }, underWay)).data.length === 0) return;
      await delay(paidPollMs);
    }
  });
}

async function readTotals(stack: Stack, merchant: Merchant): Promise<Totals> {
  let payouts = 0;
  let paid = 0;
  for await (const { status } of readList(stack, merchant, '/v1/payouts', payoutResourceSchema)) {
    payouts += 1;
    if (status === 'PAID') paid += 1;
  }
  let entriesCents = 0;
  for await (const entry of readList(stack, merchant, '/v1/transactions', entryResourceSchema)) {
    entriesCents += entry.amount_cents;
  }
  const { brl } = await readBalance(stack, merchant);
  return { payouts, paid, entriesCents, availableCents: brl.available_cents };
}

/** The baseline keeps its totals too, else its speed would mean nothing. */
export async function baselineHolds(baseline: Baseline, measurements: readonly Measurement[]): Promise<Invariant> {
  const answered = measurements.reduce((sum, measurement) => sum + measurement.answered, 0);
  const [row] = await baseline.query<{ payouts: number; debits: number; spent: number }>(
    `select (select count(*)::integer from payout) as payouts,
            (select coalesce(-sum(amount), 0)::bigint from entry)::text::float8 as debits,
            (select sum($1 - available)::bigint from balance)::text::float8 as spent`,
    [fundsCents],
  );
  const { payouts = 0, debits = 0, spent = 0 } = row ?? {};
  return {
    what: 'row lock: one payout and one debit per answer',
    holds: payouts === answered && debits === answered * debitCents && spent === debits,
    found: `${payouts} payouts, ${debits} cents for ${answered} answers`,
  };
}
