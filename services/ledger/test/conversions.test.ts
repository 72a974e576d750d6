import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { createConversion as contract } from '@gateway/contracts/conversions';
import type { DomainError } from '@gateway/contracts/errors';
import type { RequestOf } from '@gateway/contracts/messages';
import { idTimeMs, newId, type Currency } from '@gateway/money';
import { readRecordEvents } from '@gateway/persistence';
import { silentLogger } from '@gateway/test-kit';
import { createConversion } from '#src/conversions/create-conversion.ts';
import { createQuote } from '#src/conversions/create-quote.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';
import { finishConversions } from '#src/conversions/finish-conversion.ts';
import {
  conversionEvents,
  readConversion,
  readConversions,
  readOperatorConversion,
  readOperatorConversions,
} from '#src/conversions/read-conversions.ts';
import { fixedRates, noRates } from '#src/rates/rate-source.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { adjust } from './support/commands.ts';
import { startLedger, type LedgerFixture } from './support/ledger-fixture.ts';

let ledger: LedgerFixture;
let dependencies: ConversionDependencies;
let nowMs = Date.now();

beforeAll(async () => {
  ledger = await startLedger();
  dependencies = {
    database: ledger.database,
    askLedger: ledger.ask,
    rates: { test: fixedRates, live: noRates },
    logger: silentLogger,
    now: () => nowMs,
  };
});
afterAll(async () => await ledger[Symbol.asyncDispose]());

const environment = 'test';

const newAccount = async (available: number): Promise<string> => {
  const accountId = newId('account');
  expect((await ledger.ask(adjust(accountId, available))).outcome).toBe('applied');
  return accountId;
};

const quote = async (accountId: string, amount: number, fixed: 'from' | 'to' = 'from') =>
  (await createQuote(dependencies, { environment, accountId, from: 'BRL', to: 'USDT', fixed, amount })).quote;

type Order = RequestOf<typeof contract>['order'];
const market = (amount: number): Order => ({ kind: 'market', from: 'BRL', to: 'USDT', amount });
const quoted = (quoteId: string): Order => ({ kind: 'quoted', quoteId });

const convert = (accountId: string, order: Order, externalId = newId('request'), given = dependencies) =>
  createConversion(given, { environment, accountId, externalId, order });

const codeOf = async (call: Promise<unknown>) =>
  await call.then(
    () => 'fine',
    (error: unknown) => (error as { code: string }).code,
  );

const available = async (accountId: string) => {
  const rows = await ledger.database.query<{ currency: Currency; available: number }>(
    'select currency, available from balance where account_id = $1',
    [accountId],
  );
  return Object.fromEntries(rows.map((row) => [row.currency, row.available]));
};

const entriesOf = (conversionId: string) =>
  ledger.database.query('select currency, type, amount from entry where ref_id = $1 order by id', [conversionId]);

const eventsOf = (conversionId: string) =>
  ledger.database.query(`select subject from outbox where payload::jsonb #>> '{conversion,id}' = $1`, [conversionId]);

const rowsOf = (accountId: string) =>
  ledger.database.query<{ state: string }>('select state from conversion where account_id = $1', [accountId]);

describe('a conversion', () => {
  test('at a quote leaves two entries, one event, and exactly what was quoted', async () => {
    const accountId = await newAccount(20_000);
    const agreed = await quote(accountId, 10_000);
    expect(agreed).toMatchObject({ fromAmount: 10_000, toAmount: 1_851, rate: '5.40000000' });
    expect(agreed.expiresAt - agreed.createdAt).toBe(30);
    const { created, conversion } = await convert(accountId, quoted(agreed.id));
    expect(created).toBe(true);
    expect(conversion).toMatchObject({ quoteId: agreed.id, status: 'COMPLETED', fromAmount: 10_000, toAmount: 1_851 });
    expect(await available(accountId)).toEqual({ BRL: 10_000, USDT: 1_851 });
    expect(await entriesOf(conversion.id)).toEqual([
      { currency: 'BRL', type: 'CONVERSION', amount: -10_000 },
      { currency: 'USDT', type: 'CONVERSION', amount: 1_851 },
    ]);
    expect(await eventsOf(conversion.id)).toEqual([{ subject: 'event.ledger.conversion.completed.v1' }]);
    const owner = { environment, accountId } as const;
    const stated = await readRecordEvents(ledger.database, conversionEvents, { environment, after: null, limit: 500 });
    expect(stated.events).toContainEqual(expect.objectContaining({ recordId: conversion.id, currency: 'BRL' }));
    expect(await readConversion(ledger.database, { ...owner, id: conversion.id })).toEqual(conversion);
    const page = await readConversions(ledger.database, { ...owner, limit: 1, currency: 'USDT' });
    expect(page).toEqual({ conversions: [conversion], nextCursor: null });
  });

  test('of a wanted amount costs it rounded up', async () => {
    const accountId = await newAccount(20_000);
    expect(await quote(accountId, 1_001, 'to')).toMatchObject({ fromAmount: 5_406, toAmount: 1_001 });
  });

  test('repeated under its external_id is the same one, whatever the repetition says', async () => {
    const accountId = await newAccount(20_000);
    const first = await convert(accountId, market(5_400), 'treasury-1');
    const again = await convert(accountId, quoted(newId('quote')), 'treasury-1');
    expect(again).toEqual({ created: false, conversion: first.conversion });
    expect(await available(accountId)).toEqual({ BRL: 14_600, USDT: 1_000 });
  });

  test('racing itself under one external_id happens once', async () => {
    const accountId = await newAccount(20_000);
    const { id } = await quote(accountId, 5_400);
    const answers = await Promise.all([1, 2, 3].map(() => convert(accountId, quoted(id), 'treasury-2')));
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ conversion }) => conversion.id)).size).toBe(1);
    expect(await available(accountId)).toEqual({ BRL: 14_600, USDT: 1_000 });
  });

  test('racing another for one quote: one winner', async () => {
    const accountId = await newAccount(20_000);
    const { id } = await quote(accountId, 5_400);
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(convert(accountId, quoted(id)))));
    expect(codes.sort()).toEqual(['QUOTE_ALREADY_USED', 'QUOTE_ALREADY_USED', 'fine']);
    expect(await available(accountId)).toEqual({ BRL: 14_600, USDT: 1_000 });
  });

  test('racing another for one balance: one winner, and nothing left of the others', async () => {
    const accountId = await newAccount(6_000);
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(convert(accountId, market(5_400)))));
    expect(codes.sort()).toEqual(['INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS', 'fine']);
    expect(await rowsOf(accountId)).toEqual([{ state: 'COMPLETED' }]);
  });

  test('without the balance leaves external_id and quote free', async () => {
    const accountId = await newAccount(100);
    const { id } = await quote(accountId, 5_400);
    expect(await codeOf(convert(accountId, quoted(id), 'treasury-3'))).toBe('INSUFFICIENT_FUNDS');
    expect(await rowsOf(accountId)).toEqual([]);
    await ledger.ask(adjust(accountId, 10_000));
    expect((await convert(accountId, quoted(id), 'treasury-3')).created).toBe(true);
  });

  test('is refused at an old, an unknown and a foreign quote', async () => {
    const accountId = await newAccount(20_000);
    const { id, expiresAt } = await quote(accountId, 5_400);
    expect(await codeOf(convert(await newAccount(20_000), quoted(id)))).toBe('NOT_FOUND');
    expect(await codeOf(convert(accountId, quoted(newId('quote'))))).toBe('NOT_FOUND');
    nowMs = expiresAt * 1_000;
    expect(await codeOf(convert(accountId, quoted(id)))).toBe('QUOTE_EXPIRED');
    nowMs -= 1;
    expect(await codeOf(convert(accountId, quoted(id)))).toBe('fine');
    nowMs += 1;
    expect(await codeOf(convert(accountId, quoted(id)))).toBe('QUOTE_ALREADY_USED');
  });

  test('is refused at a quote of the other environment', async () => {
    const accountId = await newAccount(20_000);
    const { id } = await quote(accountId, 5_400);
    const request = { environment: 'live', accountId, externalId: newId('request'), order: quoted(id) } as const;
    expect(await codeOf(createConversion(dependencies, request))).toBe('NOT_FOUND');
  });

  test('is refused at a quote that is old by the clock of PostgreSQL alone', async () => {
    nowMs = Date.now() - 60_000;
    const accountId = await newAccount(20_000);
    const { id } = await quote(accountId, 5_400);
    await ledger.database.query(`update quote set expires_at = now() - interval '1 second' where id = $1`, [id]);
    expect(await codeOf(convert(accountId, quoted(id)))).toBe('QUOTE_EXPIRED');
    nowMs = Date.now();
  });

  test('under one external_id in live and in test is two conversions', async () => {
    const accountId = await newAccount(20_000);
    const inBoth = { ...dependencies, rates: { test: fixedRates, live: fixedRates } };
    await ledger.ask({ ...adjust(accountId, 20_000), environment: 'live' });
    const request = { accountId, externalId: newId('request'), order: market(5_400) };
    const inTest = await createConversion(inBoth, { ...request, environment: 'test' });
    const inLive = await createConversion(inBoth, { ...request, environment: 'live' });
    expect([inTest.created, inLive.created]).toEqual([true, true]);
    expect(inLive.conversion.id).not.toBe(inTest.conversion.id);
  });

  test.each<[string, Order, string]>([
    ['of less than one unit', market(5), 'VALIDATION_ERROR'],
    ['of USDT', { kind: 'market', from: 'USDT', to: 'BRL', amount: 100 }, 'CURRENCY_NOT_SUPPORTED'],
    ['into the same currency', { kind: 'market', from: 'BRL', to: 'BRL', amount: 100 }, 'CURRENCY_NOT_SUPPORTED'],
    ['into another local currency', { kind: 'market', from: 'BRL', to: 'MXN', amount: 100 }, 'CURRENCY_NOT_SUPPORTED'],
  ])('%s is refused, and nothing moves', async (_case, order, code) => {
    const accountId = await newAccount(20_000);
    expect(await codeOf(convert(accountId, order))).toBe(code);
    expect(await rowsOf(accountId)).toEqual([]);
    expect(await available(accountId)).toEqual({ BRL: 20_000 });
  });

  test('without a rate is refused as unavailable, and nothing moves', async () => {
    const accountId = await newAccount(20_000);
    const stale = { ...dependencies, rates: { test: noRates, live: noRates } };
    expect(await codeOf(convert(accountId, market(5_400), 'treasury-4', stale))).toBe('SERVICE_UNAVAILABLE');
    expect(await rowsOf(accountId)).toEqual([]);
    expect(await available(accountId)).toEqual({ BRL: 20_000 });
  });
});

describe('a conversion whose process dies', () => {
  const dying = (...moments: ('before the ledger is asked' | 'after the ledger has answered')[]) => ({
    ...dependencies,
    askLedger: async (command: Parameters<typeof ledger.ask>[0]) => {
      if (moments.includes('after the ledger has answered')) await ledger.ask(command);
      throw new Error('the process dies here');
    },
  });

  test.each(['before the ledger is asked', 'after the ledger has answered'] as const)(
    '%s is not seen by anybody, and finished once by whoever comes next',
    async (context) => {
      const accountId = await newAccount(20_000);
      expect(await codeOf(convert(accountId, market(5_400), 'treasury-5', dying(context)))).toBe('PROVIDER_TIMEOUT');
      expect((await readConversions(ledger.database, { environment, accountId, limit: 10 })).conversions).toEqual([]);
      await Promise.all([1, 2].map(() => finishConversions(dependencies, { olderThanMs: 0 })));
      const again = await convert(accountId, market(9_999), 'treasury-5');
      expect(again).toMatchObject({ created: false, conversion: { fromAmount: 5_400 } });
      expect(await available(accountId)).toEqual({ BRL: 14_600, USDT: 1_000 });
      expect(await eventsOf(again.conversion.id)).toHaveLength(1);
    },
  );

  test('is told as 504 with its id and its quote, and finished by its own repetition, also when the quote is old', async () => {
    const accountId = await newAccount(20_000);
    const { id, expiresAt } = await quote(accountId, 5_400);
    const unanswered = convert(accountId, quoted(id), 'treasury-6', dying('after the ledger has answered'));
    const refusal = await unanswered.catch((error: unknown) => error as DomainError);
    expect(refusal).toMatchObject({ code: 'PROVIDER_TIMEOUT', extra: { quote_id: id } });
    nowMs = expiresAt * 1_000 + 1;
    const again = await convert(accountId, quoted(id), 'treasury-6');
    expect(again).toMatchObject({ created: false, conversion: { quoteId: id, status: 'COMPLETED' } });
    expect((refusal as DomainError).extra['conversion_id']).toBe(again.conversion.id);
    expect(await available(accountId)).toEqual({ BRL: 14_600, USDT: 1_000 });
  });
});

describe('a conversion the ledger decides late', () => {
  /** The command reaches the ledger when its margin has passed: the row says so, the clocks agree. */
  const late = (externalId: string) => ({
    ...dependencies,
    askLedger: async (command: Parameters<typeof ledger.ask>[0]) => {
      const past = { not_after: new Date(Date.now() - 1_000) };
      await ledger.database.query('update conversion set not_after = $2 where external_id = $1', [
        externalId,
        past.not_after,
      ]);
      return await ledger.ask({ ...command, notAfter: Math.floor(past.not_after.getTime() / 1_000) } as typeof command);
    },
  });

  test('is refused by the ledger, moves nothing, and leaves external_id and quote as they were', async () => {
    nowMs = Date.now();
    const accountId = await newAccount(20_000);
    const { id } = await quote(accountId, 5_400);
    expect(await codeOf(convert(accountId, quoted(id), 'treasury-7', late('treasury-7')))).toBe('QUOTE_EXPIRED');
    expect(await codeOf(convert(accountId, market(5_400), 'treasury-7', late('treasury-7')))).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect(await rowsOf(accountId)).toEqual([]);
    expect(await available(accountId)).toEqual({ BRL: 20_000 });
    expect((await convert(accountId, quoted(id), 'treasury-7')).created).toBe(true);
  });

  test('also by the round that goes on with it after a restart: it ends, and its external_id is free', async () => {
    const accountId = await newAccount(20_000);
    const dead = { ...dependencies, askLedger: () => Promise.reject(new Error('the process dies here')) };
    expect(await codeOf(convert(accountId, market(5_400), 'treasury-8', dead))).toBe('PROVIDER_TIMEOUT');
    const [claim] = await ledger.database.query<{ lifeSec: number }>(
      `select extract(epoch from not_after - created_at)::int as "lifeSec" from conversion where account_id = $1`,
      [accountId],
    );
    expect(claim?.lifeSec).toBe(90);
    await ledger.database.query(`update conversion set not_after = now() - interval '1 minute' where account_id = $1`, [
      accountId,
    ]);
    await finishConversions(dependencies, { olderThanMs: 0 });
    expect(await rowsOf(accountId)).toEqual([]);
    expect(await available(accountId)).toEqual({ BRL: 20_000 });
  });
});

test('whatever was converted, each currency adds up to zero and every balance to its entries', async () => {
  const sums = await ledger.database.query<{ currency: string; sum: number }>(`
    select currency, sum(amount)::bigint as sum from (
      select currency, available + pending + blocked as amount from balance
      union all select currency, amount from system_balance
    ) as each group by currency`);
  expect(sums.map(({ currency }) => currency).sort()).toEqual(['BRL', 'USDT']);
  expect(sums.map(({ sum }) => sum)).toEqual([0, 0]);
  const checks = await reconcile(ledger.database.pool);
  expect(checks.filter(({ status }) => status !== 'OK')).toEqual([]);
});

test('operators find the conversions of all accounts by every filter, in pages without a gap, and read one by its id', async () => {
  const [owner, other] = [await newAccount(1_000_000), await newAccount(1_000_000)];
  const first = (await convert(owner, market(100_000))).conversion;
  const second = (await convert(other, market(200_000))).conversion;
  const idsOf = async (filter: object) =>
    (await readOperatorConversions(ledger.database, { limit: 200, ...filter })).conversions.map(({ id }) => id);
  const page = await readOperatorConversions(ledger.database, { limit: 1 });
  expect(page.conversions).toEqual([second]);
  expect((await idsOf({ cursor: page.nextCursor! }))[0]).toBe(first.id);
  const at = Math.floor(idTimeMs(first.id) / 1_000);
  for (const filter of [
    { accountId: owner },
    { externalId: first.externalId },
    { accountId: owner, environment, currency: 'USDT', minAmount: 100_000, maxAmount: 100_000, from: at, to: at + 1 },
  ]) {
    expect(await idsOf(filter)).toEqual([first.id]);
  }
  for (const filter of [{ environment: 'live' }, { minAmount: 100_001 }, { currency: 'MXN' }, { to: at }]) {
    expect(await idsOf({ accountId: owner, ...filter })).toEqual([]);
  }
  expect(await readOperatorConversion(ledger.database, { id: first.id })).toEqual(first);
  for (const id of [newId('conversion'), 'nonsense']) {
    await expect(readOperatorConversion(ledger.database, { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  await expect(
    readOperatorConversions(ledger.database, { limit: 1, cursor: newId('conversion') }),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'cursor' }] });
});
