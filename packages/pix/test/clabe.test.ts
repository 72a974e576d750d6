import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bankOfClabe, newClabe, parseClabe } from '#src/index.ts';
import vectors, { valuesOf } from './vectors/vectors.ts';

const { clabe } = vectors;

describe('CLABE', () => {
  test.each(valuesOf([...clabe.valid, ...clabe.format_ok_but_unknown_bank_or_city]))('%s is one', (value) => {
    expect(parseClabe(value)).toEqual({
      ok: true,
      value,
      bankCode: value.slice(0, 3),
      cityCode: value.slice(3, 6),
      account: value.slice(6, 17),
    });
  });

  test.each(clabe.invalid)('$value is refused: $reason', ({ value }) => {
    expect(parseClabe(value).ok).toBe(false);
  });

  test('a wrong control digit is told from a wrong form', () => {
    expect(parseClabe('002010077777777779')).toEqual({ ok: false, reason: 'CHECK_DIGIT' });
    expect(parseClabe('00201007777777777')).toEqual({ ok: false, reason: 'MALFORMED' });
    expect(parseClabe('００２０１００７７７７７７７７７７１')).toEqual({ ok: false, reason: 'MALFORMED' });
  });

  test('groups written with spaces are read', () => {
    expect(parseClabe('032 180 00011835971 9')).toMatchObject({ ok: true, value: '032180000118359719' });
  });

  test('a CLABE that is made is valid, and any other digit in one place makes it invalid', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^\d{17}$/),
        fc.nat(17),
        fc.integer({ min: 1, max: 9 }),
        (base, position, shift) => {
          const made = newClabe({ bankCode: base.slice(0, 3), cityCode: base.slice(3, 6), account: base.slice(6) });
          expect(parseClabe(made)).toMatchObject({ ok: true, value: made });
          const digit = (Number(made.charAt(position)) + shift) % 10;
          const changed = made.slice(0, position) + String(digit) + made.slice(position + 1);
          expect(parseClabe(changed)).toEqual({ ok: false, reason: 'CHECK_DIGIT' });
        },
      ),
    );
  });

  test('an account of another length makes no CLABE', () => {
    expect(() => newClabe({ bankCode: '64', cityCode: '180', account: '11180503423' })).toThrow(RangeError);
    expect(() => newClabe({ bankCode: '646', cityCode: '1801', account: '1180503423' })).toThrow(RangeError);
  });

  test('the bank that a payer knows is named, and another one is not guessed', () => {
    expect(bankOfClabe('646180157000000004')).toBe('STP');
    expect(bankOfClabe('999180157000000004')).toBeNull();
  });
});
