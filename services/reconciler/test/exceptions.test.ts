import { beforeEach, describe, expect, test } from 'vitest';
import type { FeeLine } from '@gateway/contracts/deposits';
import type { Resolution } from '@gateway/contracts/reconciler';
import { readWaiting } from '@gateway/messaging';
import { findAdjustedTwice } from '#src/comparisons/check-adjusted-exceptions.ts';
import { getException, listExceptions } from '#src/exceptions/exception-rows.ts';
import { propose, reopen, resolve } from '#src/exceptions/resolve-exception.ts';
import { waitingExceptions } from '#src/exceptions/waiting-exceptions.ts';
import { ProviderFees } from '#src/lines/provider-fees.ts';
import { listLines } from '#src/lines/read-lines.ts';
import { sweep } from '#src/matching/sweep.ts';
import { after, arrive, booked, compare, line, matchesOf, openBooks, record } from './books.ts';

const database = await openBooks();
beforeEach(async () => {
  await compare(database);
  priced = [];
});

const late = () => after(20_000);
/** Fees that have a price, by their lines. */
let priced: readonly string[] = [];
const bookFees = async (fees: readonly FeeLine[]) => ({
  booked: fees.map(({ lineId }) => lineId).filter((lineId) => priced.includes(lineId)),
});
const decide = () => ({ database, now: late, bookFees });

/** A payment without its line, and a line of the same amount that names nothing. */
async function twoThatBelongTogether(members: { amount?: number; minutes?: number; counterparty?: string } = {}) {
  const { amount = 5_000, minutes = 3, counterparty = '52998224725' } = members;
  const facts = [
    record('payment', 'dep_1', 5_000, { e2eId: 'E1', counterparty: '52998224725' }),
    booked('credit-deposit:dep_1', 5_000),
  ];
  const lines = [line('7', amount, { e2eId: 'E9', bookedAt: after(minutes), counterparty })];
  await arrive(database, { lines, facts });
  await sweep(decide());
}

const idOf = async (subject: string) => {
  const [row] = await database.query<{ id: string }>('select id from exception where subject = $1', [subject]);
  return row!.id;
};
const shown = async (subject: string) => await getException({ database }, { id: await idOf(subject) });
const proposal = async (subject: string, resolution: Partial<Resolution>, approvalId = 'apr_1') => ({
  ...{ id: await idOf(subject), approvalId, proposedBy: 'ana' },
  resolution: { action: 'match' as const, note: 'seen', with: null, ...resolution },
});
type Proposed = Awaited<ReturnType<typeof proposal>>;
const approval = (proposed: Proposed, seen: object = { lineAmount: 5_000, recordAmount: 0, ledgerAmount: 0 }) => ({
  ...{ ...proposed, approvedBy: 'bruno' },
  seen: seen as { lineAmount: number; recordAmount: number; ledgerAmount: number },
});
const stateOf = async (subject: string) => (await shown(subject)).exception.state;

describe('an exception is read with', () => {
  test('the line as its provider wrote it, and what may belong to it: same amount, within ten minutes', async () => {
    await twoThatBelongTogether();
    expect(await shown('line:payment:7')).toMatchObject({
      exception: { reason: 'line_without_record', amount: 5_000, lineAmount: 5_000, state: 'OPEN', proposal: null },
      lines: [{ lineKey: '7', raw: '7', state: 'unexplained', e2eId: 'E9' }],
      facts: [],
      candidates: [{ subject: 'payment:dep_1', with: 'payment:dep_1', e2eId: 'E1', accountId: 'acc_1' }],
    });
  });

  test('what the record and the ledger say, with the link in the chain, and the line that may belong to it', async () => {
    await twoThatBelongTogether();
    expect(await shown('payment:dep_1')).toMatchObject({
      exception: { reason: 'record_without_line', recordAmount: 5_000, ledgerAmount: 5_000, accountId: 'acc_1' },
      lines: [],
      facts: [
        { side: 'R', recordId: 'dep_1', e2eId: 'E1' },
        { side: 'L', commandId: 'credit-deposit:dep_1', sequence: 1 },
      ],
      candidates: [{ with: '7' }],
    });
  });

  test.each([
    ['another amount', { amount: 5_001 }],
    ['another time', { minutes: 11 }],
    ['another counterparty', { counterparty: '11144477735' }],
  ])('no candidate of %s', async (_what, members) => {
    await twoThatBelongTogether(members);
    expect((await shown('line:payment:7')).candidates).toEqual([]);
  });
});

describe('by two operators', () => {
  test('a line is given to its record: both are explained, and stay so when it is approved again', async () => {
    await twoThatBelongTogether();
    const proposed = await proposal('line:payment:7', { with: 'payment:dep_1' });
    await propose(decide(), proposed);
    expect(await stateOf('line:payment:7')).toBe('PROPOSED');
    await resolve(decide(), approval(proposed));
    const once = await matchesOf(database);
    expect(once.matches).toMatchObject([{ subject: 'payment:dep_1', state: 'matched', p: 5_000 }]);
    expect(await stateOf('payment:dep_1')).toBe('EXPLAINED');
    const again = await resolve(decide(), approval(proposed));
    expect(again.exception).toMatchObject({ state: 'RESOLVED', proposedBy: 'ana', resolvedBy: 'bruno' });
    expect(await matchesOf(database)).toEqual(once);
  });

  test('a record is given the line that is named by its key', async () => {
    await twoThatBelongTogether();
    const proposed = await proposal('payment:dep_1', { with: '7' });
    await resolve(decide(), approval(proposed, { lineAmount: 0, recordAmount: 5_000, ledgerAmount: 5_000 }));
    expect((await matchesOf(database)).matches).toMatchObject([{ subject: 'payment:dep_1', state: 'matched' }]);
  });

  test('a line of another amount is given to no record', async () => {
    await twoThatBelongTogether({ amount: 4_999 });
    const proposed = await proposal('line:payment:7', { with: 'payment:dep_1' });
    await expect(propose(decide(), proposed)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(
      resolve(decide(), approval(proposed, { lineAmount: 4_999, recordAmount: 0, ledgerAmount: 0 })),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await stateOf('line:payment:7')).toBe('OPEN');
  });

  test('what was approved for other sums is not done', async () => {
    await twoThatBelongTogether();
    const proposed = await proposal('line:payment:7', { action: 'foreign' });
    await propose(decide(), proposed);
    await arrive(database, { lines: [line('7', 6_000, { revision: 1, e2eId: 'E9' })] }, late());
    await expect(resolve(decide(), approval(proposed))).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await stateOf('line:payment:7')).toBe('OPEN');
  });

  test('one that is proposed is no more counted among what has to be explained, until it is rejected', async () => {
    await twoThatBelongTogether();
    const counted = async () =>
      (await readWaiting(database, waitingExceptions)).map(({ kind, count }) => [kind, count]);
    expect(await counted()).toEqual([['exception', 2]]);
    const proposed = await proposal('payment:dep_1', { with: '7' });
    await propose(decide(), proposed);
    expect(await counted()).toEqual([['exception', 1]]);
    await reopen(decide(), proposed);
    expect(await counted()).toEqual([['exception', 2]]);
  });

  test('an approval takes the place of another proposal that is shown, and one person does not decide alone', async () => {
    await twoThatBelongTogether();
    await propose(decide(), await proposal('line:payment:7', { action: 'declare' }, 'apr_other'));
    const proposed = await proposal('line:payment:7', { action: 'foreign' });
    await expect(resolve(decide(), { ...approval(proposed), approvedBy: 'ana' })).rejects.toThrow();
    const { exception } = await resolve(decide(), approval(proposed));
    expect(exception).toMatchObject({ state: 'RESOLVED', proposal: { action: 'foreign' } });
    await expect(resolve(decide(), approval({ ...proposed, approvalId: 'apr_2' }))).rejects.toMatchObject({
      code: 'INVALID_STATE',
    });
  });

  test('what was refused where it was carried out leaves the exception open, for no other approval than its own', async () => {
    await twoThatBelongTogether();
    const proposed = await proposal('line:payment:7', { action: 'adjust' });
    await resolve(decide(), approval(proposed));
    await reopen(decide(), { id: proposed.id, approvalId: 'apr_other' });
    expect(await stateOf('line:payment:7')).toBe('RESOLVED');
    await reopen(decide(), proposed);
    expect(await stateOf('line:payment:7')).toBe('OPEN');
    expect((await matchesOf(database)).matches).toContainEqual(
      expect.objectContaining({ subject: 'line:payment:7', state: 'unexplained' }),
    );
  });

  test('what was adjusted and is then booked by its own record is an exception once: it was credited twice', async () => {
    await arrive(database, { lines: [line('7', 5_000, { e2eId: 'E1' }), line('8', 5_000, { e2eId: 'E2' })] });
    await sweep(decide());
    await resolve(decide(), approval(await proposal('line:payment:7', { action: 'adjust' })));
    await resolve(decide(), approval(await proposal('line:payment:8', { action: 'foreign' }, 'apr_2')));
    const adjusted = await idOf('line:payment:7');
    await findAdjustedTwice({ database, now: late });
    const open = async () => (await listExceptions({ database }, { limit: 9, state: 'OPEN' })).exceptions;
    expect(await open()).toEqual([]);
    for (const name of ['1', '2']) {
      const facts = [record('payment', `dep_${name}`, 5_000, { e2eId: `E${name}` })];
      await arrive(database, { facts: [...facts, booked(`credit-deposit:dep_${name}`, 5_000)] });
    }
    for (let round = 0; round < 2; round += 1) await findAdjustedTwice({ database, now: late });
    expect(await open()).toMatchObject([
      { subject: `adjusted:${adjusted}`, reason: 'amount_differs', amount: 5_000, accountId: 'acc_1' },
    ]);
  });

  test('what was adjusted because record and ledger differ is an exception when they agree by then', async () => {
    const ofPayment = { e2eId: 'E1' };
    await arrive(database, {
      lines: [line('7', 4_000, ofPayment)],
      facts: [record('payment', 'dep_1', 5_000, ofPayment), booked('credit-deposit:dep_1', 4_000)],
    });
    await sweep(decide());
    const seen = { lineAmount: 4_000, recordAmount: 5_000, ledgerAmount: 4_000 };
    await resolve(decide(), approval(await proposal('payment:dep_1', { action: 'adjust' }), seen));
    await findAdjustedTwice({ database, now: late });
    expect(await stateOf('payment:dep_1')).toBe('RESOLVED');
    await arrive(database, { facts: [record('payment', 'dep_1', 4_000, { ...ofPayment, revision: 1 })] });
    await findAdjustedTwice({ database, now: late });
    const { exceptions } = await listExceptions({ database }, { limit: 9, reason: 'amount_differs', state: 'OPEN' });
    expect(exceptions).toMatchObject([{ subject: `adjusted:${await idOf('payment:dep_1')}`, amount: 1_000 }]);
  });

  test.each(['foreign', 'refund'] as const)('money that a record has cannot be %s', async (action) => {
    await twoThatBelongTogether();
    await expect(propose(decide(), await proposal('payment:dep_1', { action }))).rejects.toMatchObject({
      code: 'INVALID_STATE',
    });
  });
});

test('exceptions are listed by state, provider, reason and account, newest first, page by page', async () => {
  await twoThatBelongTogether();
  const subjects = async (asked: object) =>
    (await listExceptions({ database }, { limit: 50, ...asked })).exceptions.map(({ subject }) => subject);
  expect((await subjects({ state: 'OPEN', provider: 'efi' })).sort()).toEqual(['line:payment:7', 'payment:dep_1']);
  expect(await subjects({ accountId: 'acc_1' })).toEqual(['payment:dep_1']);
  expect(await subjects({ reason: 'line_without_record' })).toEqual(['line:payment:7']);
  expect(await subjects({ state: 'PROPOSED' })).toEqual([]);
  const { nextCursor, exceptions } = await listExceptions({ database }, { limit: 1 });
  const next = await listExceptions({ database }, { limit: 1, cursor: nextCursor! });
  expect([...exceptions, ...next.exceptions].map(({ subject }) => subject).sort()).toEqual([
    ...['line:payment:7', 'payment:dep_1'],
  ]);
  await expect(listExceptions({ database }, { limit: 1, cursor: 'nonsense' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
});

test('lines are listed by state, provider, end-to-end id and amount, page by page', async () => {
  await twoThatBelongTogether();
  await arrive(database, {
    lines: [line('8', -90, { e2eId: 'E8', kind: 'payout' }), line('9', 5_000, { e2eId: 'E1' })],
  });
  const keys = async (asked: object) =>
    (await listLines({ database }, { limit: 50, ...asked })).lines.map(({ lineKey, state }) => [lineKey, state]);
  expect(await keys({})).toEqual([
    ['7', 'unexplained'],
    ['8', 'waiting'],
    ['9', 'matched'],
  ]);
  expect(await keys({ state: 'unexplained' })).toEqual([['7', 'unexplained']]);
  expect(await keys({ state: 'matched' })).toEqual([['9', 'matched']]);
  expect(await keys({ e2eId: 'E8' })).toEqual([['8', 'waiting']]);
  expect(await keys({ amount: 5_000, provider: 'efi', state: 'waiting' })).toEqual([]);
  const { lines, nextCursor } = await listLines({ database }, { limit: 2 });
  expect(lines).toHaveLength(2);
  expect(await keys({ cursor: nextCursor! })).toEqual([['9', 'matched']]);
  const withNul = Buffer.from(JSON.stringify(['efi', 'BRL', '\0'])).toString('base64url');
  for (const cursor of ['nonsense', withNul]) {
    await expect(listLines({ database }, { limit: 1, cursor })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  }
});

describe('a fee that was left to operators', () => {
  const subject = 'line:provider_fee:efi:f1';
  const seen = { lineAmount: -90, recordAmount: 0, ledgerAmount: 0 };
  beforeEach(async () => {
    await arrive(database, { lines: [line('efi:f1', -90, { kind: 'provider_fee' })] });
    await sweep(decide());
  });

  test.each(['foreign', 'declare'] as const)(
    'is not resolved as %s once it has a price: it is booked',
    async (action) => {
      const proposed = await proposal(subject, { action });
      await propose(decide(), proposed);
      priced = ['efi:f1'];
      await expect(resolve(decide(), approval(proposed, seen))).rejects.toMatchObject({ code: 'INVALID_STATE' });
      await arrive(database, { facts: [booked('provider-fee:efi:f1', -90)] });
      expect(await stateOf(subject)).toBe('EXPLAINED');
    },
  );

  test('is not booked by a price that comes after it was resolved', async () => {
    const proposed = await proposal(subject, { action: 'foreign' });
    expect((await resolve(decide(), approval(proposed, seen))).exception.state).toBe('RESOLVED');
    const asked: FeeLine[] = [];
    const book = async (fees: readonly FeeLine[]) => {
      asked.push(...fees);
      return { booked: [] };
    };
    await new ProviderFees({ database, now: late, bookFees: book }).round();
    expect(asked).toEqual([]);
  });

  test('is adjusted for no merchant', async () => {
    const proposed = await proposal(subject, { action: 'adjust' });
    await expect(propose(decide(), proposed)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });
});
