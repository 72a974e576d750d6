import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isChargeTxid,
  isEndToEndId,
  isReceivedTxid,
  isRefundId,
  isReturnId,
  inboundEndToEndIdMaxCharacters,
  newEndToEndId,
  newReturnId,
  toProviderReference,
} from '#src/index.ts';
import vectors from './vectors/vectors.ts';

const { ids } = vectors;
const input = {
  ispb: fc.stringMatching(/^[0-9A-Z]{8}$/),
  at: fc.date({ min: new Date('2020-11-16T00:00:00Z'), max: new Date('2099-12-31T23:59:59Z'), noInvalidDate: true }),
  random: fc.uint8Array({ minLength: 16, maxLength: 32 }),
};

describe('end-to-end and return ids', () => {
  test.each(ids.e2e_valid)('%s is an end-to-end id', (id) => {
    expect(isEndToEndId(id)).toBe(true);
    expect(isReturnId(id)).toBe(false);
  });

  test.each(ids.return_valid)('%s is a return id', (id) => {
    expect(isReturnId(id)).toBe(true);
    expect(isEndToEndId(id)).toBe(false);
  });

  test.each(ids.e2e_seen_but_not_conforming)('$value of $note does not conform, and still finds room', ({ value }) => {
    expect(isEndToEndId(value)).toBe(false);
    expect(value.length).toBeLessThanOrEqual(inboundEndToEndIdMaxCharacters);
  });

  test.each([
    [Uint8Array.from({ length: 32 }, (_, index) => index), 'flDIBkGwcRK'],
    [new Uint8Array(16), '00000000000'],
    [new Uint8Array(16).fill(255), '7chF7tm8n9k'],
  ])('the same bytes make the same id in every release: case %#', (random, suffix) => {
    expect(newEndToEndId({ ispb: '99999999', at: new Date(0), random })).toBe(`E99999999197001010000${suffix}`);
  });

  test('every id made has the documented form, and the minute in UTC', () => {
    fc.assert(
      fc.property(fc.record(input), (facts) => {
        const id = newEndToEndId(facts);
        expect(id).toMatch(new RegExp(ids.e2e_regex));
        expect(id.slice(1, 9)).toBe(facts.ispb);
        const minute = `${id.slice(9, 13)}-${id.slice(13, 15)}-${id.slice(15, 17)}T${id.slice(17, 19)}:${id.slice(19, 21)}`;
        expect(facts.at.toISOString().startsWith(minute)).toBe(true);
        expect(newReturnId(facts)).toMatch(new RegExp(ids.return_regex));
      }),
    );
  });

  test('the same facts give the same id, other random bytes another', () => {
    fc.assert(
      fc.property(fc.record(input), fc.nat(10), (facts, position) => {
        expect(newEndToEndId(facts)).toBe(newEndToEndId(facts));
        const random = Uint8Array.from(facts.random);
        random[random.length - 1 - position] = (random.at(-1 - position) ?? 0) ^ 1;
        expect(newEndToEndId({ ...facts, random })).not.toBe(newEndToEndId(facts));
      }),
    );
  });

  test('a wrong ISPB or too little randomness makes no id', () => {
    const facts = { ispb: '99999999', at: new Date(0), random: new Uint8Array(16) };
    expect(() => newEndToEndId({ ...facts, ispb: '9999999' })).toThrow(RangeError);
    expect(() => newEndToEndId({ ...facts, ispb: '9999999a' })).toThrow(RangeError);
    expect(() => newReturnId({ ...facts, random: new Uint8Array(15) })).toThrow(RangeError);
    expect(() => newReturnId({ ...facts, at: new Date(Number.NaN) })).toThrow(RangeError);
  });
});

describe('txids and references', () => {
  test('the bounds are those of the Pix API', () => {
    const lengths = Array.from({ length: 38 }, (_, length) => 'a'.repeat(length));
    const [charge, received, refund] = [ids.txid_dynamic_regex, '^[a-zA-Z0-9]{1,35}$', ids.devolucao_id_regex];
    for (const text of [...lengths, 'dep_01k9z', 'ação', `${'a'.repeat(26)}\n`]) {
      expect(isChargeTxid(text)).toBe(new RegExp(charge).test(text));
      expect(isReceivedTxid(text)).toBe(new RegExp(received).test(text));
      expect(isRefundId(text)).toBe(new RegExp(refund).test(text));
    }
  });

  test('the reference of a record is its ULID: always the same, and fit for every provider', () => {
    const reference = toProviderReference('dep_01k9zv3m8q2n4x6y7w5t1r0pbc');
    expect(reference).toBe('01k9zv3m8q2n4x6y7w5t1r0pbc');
    expect(isChargeTxid(reference)).toBe(true);
    expect(isRefundId(reference)).toBe(true);
  });

  test.each([
    '',
    'dep_',
    '01k9zv3m8q2n4x6y7w5t1r0pbc',
    'dep_01K9ZV3M8Q2N4X6Y7W5T1R0PBC',
    'dep_test',
    'dep_01k9zv3m8q2n4x6y7w5t1r0pb',
  ])('"%s" is the id of no record', (id) => {
    expect(() => toProviderReference(id)).toThrow(RangeError);
  });
});
