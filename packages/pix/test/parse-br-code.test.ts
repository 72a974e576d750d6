import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc16, encodeDynamicBrCode, parseBrCode, type BrCode } from '#src/index.ts';
import { invalidBrCodes, validBrCodes } from './vectors/vectors.ts';

function parsed(code: string): BrCode {
  const result = parseBrCode(code);
  if (!result.ok) throw new Error(result.reason);
  return result.brCode;
}

/** The code with its checksum put right, so that only the rule under test can refuse it. */
const signed = (body: string): string => `${body}6304${crc16(`${body}6304`)}`;

const base = '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000';
const tail = '5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***';

describe('public and generated codes', () => {
  test.each(validBrCodes)('$kind is read, field by field', ({ code, fields }) => {
    const brCode = parsed(code);
    expect(brCode.deviations).toEqual([]);
    expect(brCode.merchantName).toBe(fields['59']);
    expect(brCode.merchantCity).toBe(fields['60']);
    expect(brCode.postalCode).toBe(fields['61']);
    expect(brCode.use).toBe({ '11': 'reusable', '12': 'once' }[fields['01'] ?? '']);
    const cents = fields['54']?.replace('.', '');
    expect(brCode.amountCents).toBe(cents === undefined ? undefined : Number(cents));
  });

  test.each(validBrCodes)('$kind is the kind pix-utils sees', ({ code, pix_utils_2_8_2 }) => {
    expect(parsed(code).kind).toBe(pix_utils_2_8_2.toLowerCase());
  });

  test('a static code gives key, description, amount and txid', () => {
    const code = validBrCodes.find(({ kind }) => kind === 'STATIC_TEST_EMV')?.code ?? '';
    expect(parsed(code)).toMatchObject({ key: 'thalesog@me.com', description: 'Pedido 123', amountCents: 1000 });
    const phone = validBrCodes.find(({ kind }) => kind.startsWith('static phone'))?.code ?? '';
    expect(parsed(phone)).toMatchObject({ key: '+5528400921181', amountCents: 9, txid: '856' });
  });

  test('a composite code gives the charge and the recurrence', () => {
    const code = validBrCodes.find(({ kind }) => kind.startsWith('dynamic_composite (26-25'))?.code ?? '';
    expect(parsed(code)).toMatchObject({
      kind: 'dynamic',
      location: 'pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441',
      recurrenceLocation: 'pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa353194890',
    });
  });
});

describe('codes that cannot be paid', () => {
  const tolerated = invalidBrCodes.filter(({ reason }) => reason.includes('readers tolerate'));
  const refused = invalidBrCodes.filter(({ reason }) => !reason.includes('readers tolerate'));

  test.each(refused)('refused: $reason', ({ code }) => {
    expect(parseBrCode(code).ok).toBe(false);
  });

  test('over-long names and txids are read and reported', () => {
    expect(tolerated.map(({ code }) => parsed(code).deviations)).toEqual([
      ['MERCHANT_NAME_TOO_LONG'],
      ['TXID_TOO_LONG'],
    ]);
  });

  test('a missing field 62 is read and reported', () => {
    const brCode = parsed(signed(`${base}5204000053039865802BR5913Fulano de Tal6008BRASILIA`));
    expect(brCode.deviations).toEqual(['ADDITIONAL_DATA_MISSING']);
  });

  const cases = [
    { rule: 'longer than 512 characters', code: `${base}${'9'.repeat(500)}`, reason: 'TOO_LONG' },
    { rule: 'empty', code: '', reason: 'CRC_MISSING' },
    { rule: 'a field twice', code: signed(`${base}${tail}5802BR`), reason: 'MALFORMED' },
    { rule: 'a field without value', code: signed(`${base}${tail}6400`), reason: 'MALFORMED' },
    { rule: 'CRC in lower case', code: signed(base + tail).replace('1D3D', '1d3d'), reason: 'CRC_MISSING' },
    { rule: 'something after the CRC', code: `${signed(base + tail)}6402XX`, reason: 'CRC_MISSING' },
    {
      rule: 'format indicator not first',
      code: signed(`5802BR${base}${tail}`.replace('5802BR5913', '5913')),
      reason: 'PAYLOAD_FORMAT',
    },
    {
      rule: 'unknown point of initiation',
      code: signed(`000201010213${base.slice(6)}${tail}`),
      reason: 'POINT_OF_INITIATION',
    },
    { rule: 'no Pix account', code: signed(`000201${tail}`), reason: 'NOT_PIX' },
    {
      rule: 'account without key or location',
      code: signed(`00020126180014br.gov.bcb.pix${tail}`),
      reason: 'ACCOUNT_INVALID',
    },
    {
      rule: 'key and location at once',
      code: signed(`00020126340014br.gov.bcb.pix0103a@b2505h.x/y${tail}`),
      reason: 'ACCOUNT_INVALID',
    },
    {
      rule: 'location with a scheme',
      code: signed(`00020126350014br.gov.bcb.pix2513https://h.x/y${tail}`),
      reason: 'ACCOUNT_INVALID',
    },
    {
      rule: 'two Pix accounts',
      code: signed(`${base}27250014br.gov.bcb.pix0103a@b${tail}`),
      reason: 'ACCOUNT_INVALID',
    },
    {
      rule: 'letters as category',
      code: signed(base + tail.replace('52040000', '5204ABCD')),
      reason: 'MERCHANT_CATEGORY',
    },
    { rule: 'another country', code: signed(base + tail.replace('5802BR', '5802US')), reason: 'COUNTRY' },
    { rule: 'blank name', code: signed(base + tail.replace('5913Fulano de Tal', '5901 ')), reason: 'MERCHANT_NAME' },
    { rule: 'no city', code: signed(base + tail.replace('6008BRASILIA', '')), reason: 'MERCHANT_CITY' },
    { rule: 'punctuation in a static txid', code: signed(base + tail.replace('0503***', '0503a-b')), reason: 'TXID' },
    {
      rule: 'an amount of three decimals',
      code: signed(base + tail.replace('5802BR', '54051.0015802BR')),
      reason: 'AMOUNT',
    },
  ];

  test.each(cases)('$rule is refused as $reason', ({ code, reason }) => {
    expect(parseBrCode(code)).toEqual({ ok: false, reason });
  });

  test('changing any one character of a code makes it unreadable', () => {
    const code = encodeDynamicBrCode({
      location: 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25',
      merchantName: 'Loja',
      merchantCity: 'Recife',
      amountCents: 1990,
    });
    fc.assert(
      fc.property(fc.nat(code.length - 1), fc.stringMatching(/^[ -~]$/), (position, character) => {
        fc.pre(code[position] !== character);
        const changed = code.slice(0, position) + character + code.slice(position + 1);
        expect(parseBrCode(changed).ok).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('any signed sequence of fields gets an answer, never an exception', () => {
    const field = fc
      .tuple(
        fc.constantFrom('00', '01', '05', '25', '26', '51', '54', '59', '62', '80', '99'),
        fc.string({ minLength: 1, maxLength: 30 }),
      )
      .map(([id, value]) => `${id}${String(value.length).padStart(2, '0')}${value}`);
    fc.assert(
      fc.property(fc.array(field, { maxLength: 8 }), (fields) => {
        const result = parseBrCode(signed(fields.join('')));
        expect(result.ok || /^[A-Z_]+$/.test(result.reason)).toBe(true);
      }),
    );
  });
});
