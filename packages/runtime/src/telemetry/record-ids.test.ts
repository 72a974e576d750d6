import { isSpanContextValid } from '@opentelemetry/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idPrefixes, idSequence, newId } from '@gateway/money';
import { idAttributesOf, placeInTrace, recordTraceOf, traceIdOf } from '#src/telemetry/record-ids.ts';

test('the trace of a record has the bits of its id, and is a trace to which spans can be linked', () => {
  expect(traceIdOf('dep_00000000000000000000000010')).toBe(`${'0'.repeat(30)}20`);
  expect(traceIdOf('dep_7zzzzzzzzzzzzzzzzzzzzzzzzz')).toBe('f'.repeat(32));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 48 - 1 }), (atMs) => {
      // A sequence of its own: ids of this process never go back in time.
      const next = idSequence('deposit');
      const [one, other] = [next(atMs), next(atMs)].map((id) => traceIdOf(id) ?? '');
      expect(one).toMatch(/^[0-9a-f]{32}$/);
      expect(one).not.toBe(other);
      expect(isSpanContextValid(placeInTrace(one ?? ''))).toBe(true);
    }),
  );
});

test.each(['dep_8zzzzzzzzzzzzzzzzzzzzzzzzz', 'dep_short', 'nonsense', '', `dep_${'u'.repeat(26)}`])(
  '%j is the id of no record, and has no trace',
  (id) => expect(traceIdOf(id)).toBeUndefined(),
);

test('a message is about the ids among its members and their members, the first of a kind, and nothing else', () => {
  const [deposit, refund, account] = [newId('deposit'), newId('refund'), newId('account')];
  const message = {
    ...{ id: refund, accountId: account, note: `see ${newId('deposit')}`, list: [newId('payout')] },
    ...{ deposit: { id: deposit, before: newId('deposit'), deep: { id: newId('payout') } } },
  };
  expect(idAttributesOf(message, null, 7, 'text')).toEqual({
    'gateway.refund_id': refund,
    'gateway.account_id': account,
    'gateway.deposit_id': deposit,
  });
  expect(recordTraceOf(idAttributesOf(message))).toBe(traceIdOf(deposit));
  expect(recordTraceOf(idAttributesOf({ id: account }))).toBeUndefined();
});

test('the prefixes of its ids are those of the product', () => {
  const known = Object.values(idPrefixes).map((prefix) => `${prefix}_${newId('deposit').slice(4)}`);
  const named = known.filter((id) => Object.keys(idAttributesOf({ id })).length > 0);
  expect(named).toHaveLength(9);
});
