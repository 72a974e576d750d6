import { generateCnpj, generateCpf, isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskDocument, parseDocument } from '#src/index.ts';
import vectors, { valuesOf } from './vectors/vectors.ts';

const { cpf, cnpj } = vectors;
const validCnpjs = [...cnpj.valid_numeric, ...cnpj.valid_alphanumeric];

describe('parseDocument', () => {
  test.each(valuesOf(cpf.valid))('CPF %s is one', (value) => {
    expect(parseDocument(value)).toEqual({ ok: true, kind: 'cpf', value });
  });

  test.each(valuesOf(validCnpjs))('CNPJ %s is one', (value) => {
    expect(parseDocument(value)).toEqual({ ok: true, kind: 'cnpj', value });
    expect(parseDocument(value.toLowerCase())).toEqual({ ok: true, kind: 'cnpj', value });
  });

  test.each([...cpf.masked, ...cnpj.masked])('$input loses its punctuation', ({ input, normalized }) => {
    expect(parseDocument(input)).toMatchObject({ ok: true, value: normalized });
    expect(parseDocument(` ${input} `)).toMatchObject({ ok: true, value: normalized });
  });

  test.each([...cpf.invalid, ...cnpj.invalid])('"$value" is refused: $reason', ({ value }) => {
    expect(parseDocument(value).ok).toBe(false);
  });

  test('a wrong check digit is told from a wrong form', () => {
    expect(parseDocument('12345678900')).toEqual({ ok: false, reason: 'CHECK_DIGITS' });
    expect(parseDocument('11222333000180')).toEqual({ ok: false, reason: 'CHECK_DIGITS' });
    expect(parseDocument('1234567890')).toEqual({ ok: false, reason: 'MALFORMED' });
    expect(parseDocument('***.982.247-**')).toEqual({ ok: false, reason: 'MALFORMED' });
  });

  test.each(['0', '5', '9'])('one digit repeated (%s) is refused although its sums may fit', (digit) => {
    expect(parseDocument(digit.repeat(11)).ok).toBe(false);
    expect(parseDocument(digit.repeat(14)).ok).toBe(false);
  });

  test('characters that become ASCII letters in upper case do not make a document', () => {
    expect(parseDocument('12345678000A08').ok).toBe(true);
    expect(parseDocument('12345678000ª08').ok).toBe(false);
    for (const foreign of ['ı', 'ſ', '１']) {
      expect(parseDocument(`${foreign}2ABC34501DE35`)).toEqual({ ok: false, reason: 'MALFORMED' });
    }
  });

  test('exactly one pair of check digits fits a base, and it is the one a second library finds', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{9}$/), (base) => {
        const fits = pairs().filter((digits) => parseDocument(base + digits).ok);
        expect(fits).toEqual(pairs().filter((digits) => isValidCpf(base + digits)));
        expect(fits.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 30 },
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Z]{12}$/), (base) => {
        const fits = pairs().filter((digits) => parseDocument(base + digits).ok);
        expect(fits).toEqual(pairs().filter((digits) => isValidCnpj(base + digits, { version: 2 })));
        expect(fits.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 30 },
    );
  });

  test('documents made by a second library are documents', () => {
    for (let run = 0; run < 50; run += 1) {
      expect(parseDocument(generateCpf())).toMatchObject({ ok: true, kind: 'cpf' });
      expect(parseDocument(generateCnpj(1))).toMatchObject({ ok: true, kind: 'cnpj' });
      expect(parseDocument(generateCnpj(2))).toMatchObject({ ok: true, kind: 'cnpj' });
    }
  });
});

describe('maskDocument', () => {
  test('hides the ends of a CPF and of a CNPJ', () => {
    expect(maskDocument('52998224725')).toBe('***.982.247-**');
    expect(maskDocument('529.982.247-25')).toBe('***.982.247-**');
    expect(maskDocument('11222333000181')).toBe('**.222.333/0001-**');
    expect(maskDocument('12.ABC.345/01DE-35')).toBe('**.ABC.345/01DE-**');
  });

  test('leaves alone what a provider has masked already', () => {
    expect(maskDocument('***.982.247-**')).toBe('***.982.247-**');
    expect(maskDocument('**.222.333/0001-**')).toBe('**.222.333/0001-**');
  });

  test('hides whole what is no document', () => {
    expect(maskDocument('')).toBe('');
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        fc.pre(!/^[\d./-]{11,}$|^[0-9A-Z./-]{14,}$/.test(text));
        expect(maskDocument(text)).toMatch(/^\**$/);
      }),
    );
  });
});

function pairs(): string[] {
  return Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0'));
}
