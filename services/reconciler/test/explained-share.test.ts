import { beforeEach, expect, test } from 'vitest';
import { metricsText } from '@gateway/runtime';
import { silentLogger } from '@gateway/test-kit';
import { readExplained } from '#src/exceptions/read-explained.ts';
import { approveResolution, proposeResolution } from '#src/matching/decide-exception.ts';
import { enterStoredLines } from '#src/matching/items-arrived.ts';
import { sampleUnexplained } from '#src/matching/observe-matching.ts';
import { rebuildScript } from '#src/matching/rebuild.ts';
import { sweep } from '#src/matching/sweep.ts';
import { after, arrive, booked, compare, emptyTables, line, openBooks, payment, record } from './books.ts';

const database = await openBooks();
beforeEach(async () => compare(database));

const hour = 60;
const day = 24 * hour;

/** Of the last day, as it is so many minutes after noon. */
async function sharesAt(minutes: number, filter: { readonly provider?: string } = {}) {
  const since = after(minutes - day).toISOString();
  const { accounts } = await readExplained({ database, now: () => after(minutes) }, { since, ...filter });
  return accounts;
}

const nothing = { inTime: 0, late: 0, open: 0, resolved: 0, lines: 0, lateLines: 0, unexplained: [] };
const efi = { environment: 'live', provider: 'efi', currency: 'BRL' };

test('what all sides explain within five minutes is in time, what takes longer is late, and what never comes is open', async () => {
  const [prompt, late, missing] = [payment(100, 'E1'), payment(200, 'E2'), payment(300, 'E3')];
  await arrive(database, prompt.items, after(5));
  await arrive(database, { facts: [...late.items.facts, ...missing.items.facts] });
  await arrive(database, { lines: late.items.lines }, after(6));
  expect(await sharesAt(5)).toMatchObject([{ inTime: 1, late: 1, open: 0 }]);
  expect(await sharesAt(7)).toEqual([{ ...efi, ...nothing, inTime: 1, late: 1, open: 1, lines: 2, lateLines: 1 }]);
});

test('a movement counts under the hour in which it happened, however late it is explained', async () => {
  const { items } = payment(100, 'E1');
  await arrive(database, { facts: items.facts });
  await arrive(database, { lines: items.lines }, after(3 * day));
  expect(await sharesAt(3 * day)).toEqual([{ ...efi, ...nothing }]);
  expect(await sharesAt(hour)).toMatchObject([{ inTime: 0, late: 1 }]);
});

test('what waits for the file of its day counts from the moment on at which the file is there', async () => {
  await database.query(`update statement_source set kind = 'file'`);
  const { items } = payment(100, 'E1');
  await arrive(database, { facts: items.facts });
  await sweep({ database, now: () => after(10) });
  expect(await sharesAt(10)).toEqual([{ ...efi, ...nothing }]);
  const lines = [line('1', 100, { e2eId: 'E1', source: 'file', fileId: 'stf_1' })];
  await arrive(database, { lines }, after(600));
  expect(await sharesAt(600)).toEqual([{ ...efi, ...nothing, inTime: 1 }]);
});

test('what is not explained is added up by side and age, and money in and out is never netted', async () => {
  await arrive(database, {
    lines: [line('8', 700, { kind: 'other' }), line('9', -50, { kind: 'other' })],
    facts: [
      booked('credit-deposit:dep_forged', 4_444),
      record('payment', 'dep_1', 300, { occurredAt: after(-2 * day) }),
    ],
  });
  await sweep({ database, now: () => after(30) });
  const [share] = await sharesAt(30);
  const sum = { matches: 1, plus: 0, minus: 0, age: 'below_an_hour', oldestAt: after(0).toISOString() };
  expect(share?.unexplained).toEqual([
    { ...sum, side: 'R', plus: 300, age: 'below_a_week', oldestAt: after(-2 * day).toISOString() },
    { ...sum, side: 'L', plus: 4_444 },
    { ...sum, side: 'P', matches: 2, plus: 700, minus: 50 },
  ]);
});

test('what two operators decide is explained by no side, and open no longer', async () => {
  await arrive(database, { lines: [line('8', 700, { kind: 'other' })] });
  await sweep({ database, now: () => after(6) });
  expect(await sharesAt(7)).toMatchObject([{ open: 1, resolved: 0 }]);
  const [exception] = await database.query<{ id: string }>('select id from exception');
  const decision = { id: exception?.id ?? '', now: after(8) };
  await database.transaction(async (tx) => {
    await proposeResolution(tx, { ...decision, operator: 'ana' }, { action: 'foreign', note: 'not ours' });
    await approveResolution(tx, { ...decision, operator: 'bia' });
  });
  expect(await sharesAt(9)).toMatchObject([{ ...efi, inTime: 0, late: 0, open: 0, resolved: 1, unexplained: [] }]);
});

test('what is matched anew by a rebuild has counted before, and counts once', async () => {
  const { items } = payment(100, 'E1');
  await arrive(database, items, after(1));
  await database.pool.query(rebuildScript);
  await arrive(database, { facts: items.facts }, after(hour));
  await enterStoredLines({ database, now: () => after(hour) });
  expect(await sharesAt(hour)).toMatchObject([{ inTime: 1, late: 0, open: 0, lines: 1 }]);
});

test('accounts of one provider are asked for alone', async () => {
  await compare(database, 'list', 'woovi');
  expect(await sharesAt(1)).toEqual(
    [efi, { ...efi, provider: 'woovi' }].map((account) => ({ ...account, ...nothing })),
  );
  expect(await sharesAt(1, { provider: 'woovi' })).toEqual([{ ...efi, provider: 'woovi', ...nothing }]);
});

test('a fee of the provider has until the end of its day, and is promised no sooner', async () => {
  await arrive(database, { facts: [booked('provider-fee:fee-1', -3)] });
  await arrive(database, { lines: [line('fee-1', -3, { kind: 'provider_fee' })] }, after(hour));
  await arrive(database, { lines: [line('fee-2', -4, { kind: 'provider_fee' })] });
  expect(await sharesAt(hour)).toMatchObject([{ inTime: 0, late: 0, open: 0 }]);
});

/** What alerts are given after one round of measuring. */
async function measuredAt(minutes: number): Promise<string[]> {
  await sampleUnexplained(database, silentLogger, () => after(minutes))[Symbol.asyncDispose]();
  const { text } = await metricsText();
  return text.split('\n').filter((shown) => /^gateway_recon_(?:unexplained|items|oldest)/.test(shown));
}

test('alerts are given what is not explained in time, by side and sign, by age and by state, and nothing is netted', async () => {
  const forged = [booked('credit-deposit:dep_1', 5_000), booked('credit-deposit:dep_2', 4_444)];
  await arrive(database, { facts: [...forged, booked('settle-payout:pyt_3', -100_000)] });
  await arrive(database, { facts: payment(100, 'E1').items.facts }, after(1_999));
  await sweep({ database, now: () => after(2_000) });
  const shown = await measuredAt(2_000);
  expect(shown.filter((each) => !each.endsWith(' 0')).sort()).toEqual([
    'gateway_recon_items{provider="efi",state="unexplained"} 3',
    'gateway_recon_items{provider="efi",state="waiting"} 1',
    `gateway_recon_oldest_seconds{provider="efi",currency="BRL"} ${2_000 * 60}`,
    'gateway_recon_unexplained_age_minor{provider="efi",currency="BRL",age="below a week"} 109444',
    'gateway_recon_unexplained_minor{provider="efi",currency="BRL",side="L",sign="minus"} 100000',
    'gateway_recon_unexplained_minor{provider="efi",currency="BRL",side="L",sign="plus"} 9444',
  ]);
  expect(shown).toContain('gateway_recon_unexplained_minor{provider="efi",currency="BRL",side="P",sign="plus"} 0');

  await emptyTables(database);
  await compare(database);
  const afterwards = await measuredAt(2_001);
  expect(afterwards.filter((each) => !each.endsWith(' 0'))).toEqual([]);
  expect(afterwards).toContain('gateway_recon_unexplained_minor{provider="efi",currency="BRL",side="L",sign="plus"} 0');
});
