import { beforeEach, describe, expect, test } from 'vitest';
import { getException } from '#src/exceptions/exception-rows.ts';
import { reopen, resolve } from '#src/exceptions/resolve-exception.ts';
import { giveLinesToTransfers } from '#src/lines/own-transfers.ts';
import { sweep } from '#src/matching/sweep.ts';
import { factsOfLink } from '#src/sides/ledger-facts.ts';
import { after, arrive, booked, compare, line, matchesOf, noon, openBooks } from './books.ts';

const database = await openBooks();
beforeEach(async () => compare(database));

const late = after(24 * 60);
const dependencies = () => ({ database, now: () => late, bookFees: async () => ({ booked: [] }) });
const give = () => giveLinesToTransfers(dependencies());
const transfer = (id: string, amount: number, ourRef: string | null = null) =>
  booked(`own-funds:${id}`, amount, { ourRef, accountId: null });
const states = async () =>
  (await matchesOf(database)).matches.map(({ subject, state, p, l }) => [subject, state, p, l]);

test('what the ledger has booked as own funds is a transfer of our own, with the reference that its line will have', () => {
  const [fact] = factsOfLink('live', {
    place: { sequence: 1, hash: '00', decidedAtMs: noon.getTime() },
    commandId: 'own-funds:apr_1',
    request: { kind: 'own-funds', accountId: 'acc_1', currency: 'BRL', amount: 900, reference: 'E900' },
    isApplied: true,
    postings: [
      ['provider:efi', 'system', 'BRL', -900],
      ['own-funds', 'system', 'BRL', 900],
    ],
    entries: [],
  });
  expect(fact).toMatchObject({ subject: 'line:own_transfer:apr_1', kind: 'own_transfer', amount: 900, ourRef: 'E900' });
});

describe('a transfer of our own is explained by', () => {
  test('the line that operators named, whichever of the two came first', async () => {
    await arrive(database, { facts: [transfer('efi:1', 900)] });
    await arrive(database, { lines: [line('efi:1', 900, { kind: 'own_transfer' })] });
    await arrive(database, { lines: [line('efi:2', -300, { kind: 'own_transfer' })] });
    await arrive(database, { facts: [transfer('efi:2', -300)] });
    expect((await states()).map(([, state]) => state)).toEqual(['matched', 'matched']);
  });

  test.each([
    ['the id of the payment', { kind: 'payment', e2eId: 'E900-of-may' }],
    ['the id of a return', { kind: 'payout_return', returnId: 'E900-of-may' }],
    ['its own key', { kind: 'other', lineKey: 'E900-of-may' }],
    ['a word of its text', { kind: 'other', text: 'TED e900-OF-may recebida' }],
    ['a word of its text, where the statement says what it is', { kind: 'own_transfer', text: 'E900-of-may' }],
  ] as const)('the one line of its amount that has the reference as %s', async (_what, members) => {
    await arrive(database, { lines: [line('efi:1', 900, members)], facts: [transfer('apr_1', 900, 'E900-of-may')] });
    await give();
    expect(await states()).toEqual([['line:own_transfer:apr_1', 'matched', 900, 900]]);
    await give();
    expect(await states()).toHaveLength(1);
  });

  test('the line that it was declared for, which the statement calls something else', async () => {
    await arrive(database, { lines: [line('efi:1', 900)], facts: [transfer('efi:1', 900)] });
    await give();
    expect(await states()).toEqual([['line:own_transfer:efi:1', 'matched', 900, 900]]);
  });

  test('no line of another amount or currency, of another provider or that has a record, and not by a part of an id', async () => {
    await arrive(database, {
      lines: [
        line('efi:1', 901, { e2eId: 'E900-of-may' }),
        line('efi:2', 900, { e2eId: 'E900-of-may', currency: 'MXN' }),
        line('woovi:3', 900, { e2eId: 'E900-of-may', provider: 'woovi' }),
        line('efi:4', 900, { e2eId: 'E900-of-may-2' }),
      ],
      facts: [transfer('apr_1', 900, 'E900-of-may')],
    });
    await give();
    expect((await states()).filter(([, state]) => state === 'matched')).toEqual([]);
  });

  test('neither of two lines, and no line of two transfers: people decide', async () => {
    const text = 'E900-of-may';
    await arrive(database, {
      lines: [line('efi:1', 900, { kind: 'other', text }), line('efi:2', 900, { kind: 'other', text })],
      facts: [transfer('apr_1', 900, text)],
    });
    await arrive(database, {
      lines: [line('efi:3', 500, { kind: 'other', text: 'profit-of-may' })],
      facts: [transfer('apr_2', 500, 'profit-of-may'), transfer('apr_3', 500, 'profit-of-may')],
    });
    await give();
    expect((await states()).filter(([, state]) => state === 'matched')).toEqual([]);
  });

  test('nothing, without a line by the end of the day: then it is an exception', async () => {
    await arrive(database, { facts: [transfer('apr_1', 900, 'E900-of-may')] });
    await sweep(dependencies());
    expect(await database.query('select reason, amount from exception')).toEqual([
      { reason: 'ledger_without_line', amount: 900 },
    ]);
  });
});

const resolution = (other: string | null) => ({ action: 'declare' as const, note: 'a top-up', with: other });
const seen = (lineAmount: number) => ({ lineAmount, recordAmount: 0, ledgerAmount: 0 });
const decide = async (other: string | null, lineAmount: number) => {
  const [row] = await database.query<{ id: string }>('select id from exception');
  const decision = { id: row!.id, approvalId: 'apr_1', proposedBy: 'ana', approvedBy: 'bruno' };
  const request = { ...decision, resolution: resolution(other), seen: seen(lineAmount) };
  return { ...request, resolved: await resolve(dependencies(), request) };
};

test.each([
  ['line', 'line:other:efi:1', 'line:own_transfer:apr_1', seen(900)],
  ['transfer', 'line:own_transfer:apr_1', 'efi:1', { ...seen(0), ledgerAmount: 900 }],
])('where two may belong together, people give the one to the other, from the exception of the %s', async (...by) => {
  const [, subject, other, sums] = by;
  const text = 'E900-of-may';
  await arrive(database, {
    lines: [line('efi:1', 900, { kind: 'other', text }), line('efi:2', 900, { kind: 'other', text })],
    facts: [transfer('apr_1', 900, text)],
  });
  await give();
  await sweep(dependencies());
  const [row] = await database.query<{ id: string }>('select id from exception where subject = $1', [subject]);
  const { candidates } = await getException({ database }, { id: row!.id });
  expect(candidates.map((candidate) => candidate.with)).toContain(other);
  const decision = { id: row!.id, approvalId: 'apr_9', proposedBy: 'ana', approvedBy: 'bruno', seen: sums };
  await resolve(dependencies(), { ...decision, resolution: { action: 'match', note: 'seen', with: other } });
  expect(await states()).toEqual([
    ['line:other:efi:2', 'unexplained', 900, 0],
    ['line:own_transfer:apr_1', 'matched', 900, 900],
  ]);
});

describe('an exception about a line that is declared', () => {
  test('a transfer of our own is explained by what is booked for the line', async () => {
    await arrive(database, { lines: [line('efi:1', 900)] });
    await sweep(dependencies());
    const { resolved } = await decide('own_transfer', 900);
    expect(resolved.exception.state).toBe('RESOLVED');
    expect(await states()).toEqual([['line:own_transfer:efi:1', 'waiting', 900, 0]]);
    await arrive(database, { facts: [transfer('efi:1', 900)] });
    expect(await states()).toEqual([['line:own_transfer:efi:1', 'matched', 900, 900]]);
  });

  test('a fee, which no price says, is explained by what is booked for the line', async () => {
    await arrive(database, { lines: [line('efi:1', -90, { kind: 'other' })] });
    await sweep(dependencies());
    await decide('provider_fee', -90);
    await arrive(database, { facts: [booked('provider-fee:efi:1', -90)] });
    expect(await states()).toEqual([['line:provider_fee:efi:1', 'matched', -90, -90]]);
  });

  test('is open again, about the line as it was, where what was declared was refused', async () => {
    await arrive(database, { lines: [line('efi:1', 900)] });
    await sweep(dependencies());
    const { id, approvalId } = await decide('own_transfer', 900);
    expect((await reopen(dependencies(), { id, approvalId })).exception.state).toBe('OPEN');
    await sweep({ database, now: () => after(3 * 24 * 60) });
    expect(await states()).toEqual([['line:payment:efi:1', 'unexplained', 900, 0]]);
    expect(await database.query('select state from exception')).toEqual([{ state: 'OPEN' }]);
  });
});
