import { getPixKeyInfo } from '@brazilian-utils/brazilian-utils';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inferPixKey, maskPixKey, parsePixKey, pixKeyTypes, type PixKeyType } from '#src/index.ts';
import vectors from './vectors/vectors.ts';

const asType = (type: string): PixKeyType => {
  const known = pixKeyTypes.find((candidate) => candidate === type);
  if (!known) throw new Error(`unknown key type ${type}`);
  return known;
};
const { pix_keys: keys } = vectors;
const dictPhone = /^\+[1-9][0-9]\d{1,14}$/;

describe('parsePixKey', () => {
  test.each(keys.valid)('$type $value is in the form DICT keeps', ({ type, value }) => {
    expect(parsePixKey(asType(type), value)).toEqual({ ok: true, type, value });
    expect(parsePixKey(asType(type), ` ${value} `)).toEqual({ ok: true, type, value });
  });

  test.each(keys.normalise)('$type $in becomes $out', ({ type, in: text, out }) => {
    expect(parsePixKey(asType(type), text)).toEqual({ ok: true, type, value: out });
  });

  test.each(keys.invalid)('$type $value is refused', ({ type, value }) => {
    expect(parsePixKey(asType(type), value).ok).toBe(false);
  });

  test.each([
    ['cpf', '11222333000181', 'MALFORMED'],
    ['cnpj', '52998224725', 'MALFORMED'],
    ['cpf', '12345678900', 'CHECK_DIGITS'],
    ['email', `${'a'.repeat(66)}@example.com`, 'TOO_LONG'],
    ['email', 'a@b@c.com', 'MALFORMED'],
    ['email', 'a b@example.com', 'MALFORMED'],
    ['phone', '11 98765', 'MALFORMED'],
    ['phone', '+5511', 'MALFORMED'],
    ['phone', '+55119876543210', 'MALFORMED'],
    ['phone', '+0111234567890', 'MALFORMED'],
    ['phone', '(11) 98765-432a', 'MALFORMED'],
    ['random', '123e4567e89b12d3a456426655440000', 'MALFORMED'],
    ['random', '123e4567-e89b-12d3-a456-42665544000g', 'MALFORMED'],
    ['random', '', 'MALFORMED'],
  ] as const)('%s %s is refused as %s', (type, text, reason) => {
    expect(parsePixKey(type, text)).toEqual({ ok: false, reason });
  });

  test('letters of e-mails and UUIDs come out in lower case, those of a CNPJ in upper case', () => {
    expect(parsePixKey('email', 'Pix@BCB.gov.br')).toMatchObject({ value: 'pix@bcb.gov.br' });
    expect(parsePixKey('random', '123E4567-E89B-12D3-A456-426655440000')).toMatchObject({
      ok: true,
      value: '123e4567-e89b-12d3-a456-426655440000',
    });
    expect(parsePixKey('cnpj', '12.abc.345/01de-35')).toMatchObject({ value: '12ABC34501DE35' });
  });

  test('a foreign letter that folds to ASCII does not become part of a key', () => {
    expect(parsePixKey('email', '\u212Aelvin@example.com').ok).toBe(false);
    expect(parsePixKey('email', 'kelvin@example.com').ok).toBe(true);
  });

  test('an e-mail of 77 characters is the longest', () => {
    expect(parsePixKey('email', `${'a'.repeat(65)}@example.com`).ok).toBe(true);
  });

  test('a foreign number in E.164 is passed on as it is', () => {
    expect(parsePixKey('phone', '+1 (415) 555-2671')).toMatchObject({ ok: true, value: '+14155552671' });
  });

  test('a normalised key is normal: reading it again changes nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pixKeyTypes), keyText(), (type, text) => {
        const first = parsePixKey(type, text);
        fc.pre(first.ok);
        expect(parsePixKey(type, first.value)).toEqual(first);
        if (type === 'phone') expect(first.value).toMatch(dictPhone);
      }),
    );
  });
});

describe('inferPixKey', () => {
  test.each(keys.valid)('$value is recognised as $type', ({ type, value }) => {
    expect(inferPixKey(value)).toEqual({ ok: true, type, value });
  });

  test.each(keys.normalise)('$in is recognised as $type', ({ type, in: text, out }) => {
    expect(inferPixKey(text)).toEqual({ ok: true, type, value: out });
  });

  test.each(keys.ambiguous)('$value: $note', ({ value }) => {
    expect(inferPixKey(value)).toEqual({ ok: true, type: 'cpf', value });
    expect(inferPixKey(`+55${value}`)).toEqual({ ok: true, type: 'phone', value: `+55${value}` });
  });

  test.each(['', '   ', 'abc', '12345678900', '1134567890', '1'.repeat(14), '123e4567'])('"%s" is no key', (text) => {
    expect(inferPixKey(text).ok).toBe(false);
  });

  test('eleven digits that are a mobile number and no CPF are a phone', () => {
    expect(inferPixKey('11987654321')).toEqual({ ok: true, type: 'phone', value: '+5511987654321' });
  });

  test('agrees with a second library on documents, e-mails, mobiles and UUIDs', () => {
    fc.assert(
      fc.property(
        fc.oneof(realisticMobile(), fc.uuid(), plainEmail(), fc.constantFrom(...keys.valid.map((k) => k.value))),
        (text) => {
          const opinion = getPixKeyInfo(text);
          const type = opinion?.type === 'evp' ? 'random' : opinion?.type;
          expect(inferPixKey(text)).toEqual({ ok: true, type, value: opinion?.value });
        },
      ),
    );
  });
});

describe('maskPixKey', () => {
  test.each([
    ['cpf', '52998224725', '***.982.247-**'],
    ['cnpj', '12ABC34501DE35', '**.ABC.345/01DE-**'],
    ['email', 'pix@bcb.gov.br', 'p***@bcb.gov.br'],
    ['phone', '+5511987654321', '+55******21'],
    ['random', '123e4567-e89b-12d3-a456-426655440000', '123e****'],
    ['email', 'not an address', '***'],
    ['phone', '11987654321', '***'],
    ['random', 'x', '***'],
  ] as const)('%s %s is logged as %s', (type, value, masked) => {
    expect(maskPixKey(type, value)).toBe(masked);
  });

  test('no key survives its mask', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pixKeyTypes), keyText(), (type, text) => {
        const masked = maskPixKey(type, text);
        fc.pre(text.length > 3 && !text.includes('*'));
        expect(masked).not.toContain(text);
      }),
    );
  });
});

function realisticMobile(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('11', '21', '31', '51', '85'), fc.stringMatching(/^9[6-9]\d{7}$/))
    .map(([area, number]) => `+55${area}${number}`);
}

function plainEmail(): fc.Arbitrary<string> {
  return fc.stringMatching(/^[a-z][a-z0-9]{0,20}@[a-z]{2,10}\.com$/);
}

function keyText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...keys.valid.map(({ value }) => value), ...keys.normalise.map((vector) => vector.in)),
    realisticMobile(),
    fc.stringMatching(/^\(?[1-9]\d\)? ?9\d{4}-?\d{4}$/),
    plainEmail(),
    fc.uuid(),
    fc.string(),
  );
}
