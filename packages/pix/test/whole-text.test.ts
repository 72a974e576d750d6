import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  crc16,
  encodeDynamicBrCode,
  encodeStaticBrCode,
  inferPixKey,
  isChargeTxid,
  isEndToEndId,
  isReceivedTxid,
  isRefundId,
  isReturnId,
  maskDocument,
  maskPixKey,
  newClabe,
  newEndToEndId,
  parseBrCode,
  parseClabe,
  parseDocument,
  parsePixKey,
  toProviderReference,
} from '#src/index.ts';

/** What no identifier has in it, alone or with something that would be a character of one. */
const added = fc.constantFrom('<', '<0', '0<', '<A', 'A<', '\n', '0\n');

/** A text is refused as soon as anything stands before or behind it. */
function expectOnlyWhole(valid: string, isTaken: (text: string) => boolean): void {
  expect(isTaken(valid), valid).toBe(true);
  fc.assert(
    fc.property(added, (more) => {
      expect(isTaken(`${more}${valid}`), JSON.stringify(`${more}${valid}`)).toBe(false);
      expect(isTaken(`${valid}${more}`), JSON.stringify(`${valid}${more}`)).toBe(false);
    }),
  );
}

const throws = (work: () => unknown) => {
  try {
    work();
    return false;
  } catch {
    return true;
  }
};

describe('a form is that of the whole text, never of a part of it', () => {
  const random = new Uint8Array(16);
  const at = new Date('2026-05-04T03:02:00Z');

  test.each([
    ['an end-to-end id', 'E00038166201907261559y6j6mt9l0pi', isEndToEndId],
    ['a return id', 'D00038166201907261559y6j6mt9l0pi', isReturnId],
    ['the txid of a charge', '7978c0c97ea847e78e8849634473c1f1', isChargeTxid],
    ['the txid of a received Pix', '856', isReceivedTxid],
    ['a refund id', 'rfd1', isRefundId],
    [
      'the id of a record',
      'dep_01k9z3m4v6t8x0a2c4e6g8jk01',
      (text: string) => !throws(() => toProviderReference(text)),
    ],
    ['an ISPB', '00038166', (text: string) => !throws(() => newEndToEndId({ ispb: text, at, random }))],
    ['a CLABE', '032180000118359719', (text: string) => parseClabe(text).ok],
    ['a CPF', '52998224725', (text: string) => parseDocument(text).ok],
    ['a CNPJ', '11222333000181', (text: string) => parseDocument(text).ok],
    ['a CNPJ of letters', '12ABC34501DE35', (text: string) => parseDocument(text).ok],
    ['a telephone number with its country', '+5561998880000', (text: string) => parsePixKey('phone', text).ok],
    ['a telephone number of another country', '+12025550123', (text: string) => parsePixKey('phone', text).ok],
    ['a telephone number without a plus', '5561998880000', (text: string) => parsePixKey('phone', text).ok],
    ['an e-mail address', 'a@b.co', (text: string) => parsePixKey('email', text).ok],
    ['a random key', '123e4567-e12b-12d1-a456-426655440000', (text: string) => parsePixKey('random', text).ok],
  ])('%s', (_name, valid, isTaken) => {
    expectOnlyWhole(valid, isTaken);
  });

  test('of a code: key, txid, location, postal code and ISPB', () => {
    const facts = { key: 'a@b.co', merchantName: 'Loja', merchantCity: 'Recife' };
    const isWritten = (change: object) => !throws(() => encodeStaticBrCode({ ...facts, ...change }));
    expectOnlyWhole('01001000', (postalCode) => isWritten({ postalCode }));
    expectOnlyWhole('12345678', (withdrawalIspb) => isWritten({ withdrawalIspb }));
    expectOnlyWhole('856', (txid) => isWritten({ txid }));
    for (const key of ['a b', ' a', 'a ', 'ção', 'a\n', '']) expect(isWritten({ key }), key).toBe(false);
  });

  test('of a bank, a place and an account in a CLABE', () => {
    const parts = { bankCode: '032', cityCode: '180', account: '00011835971' };
    expect(newClabe(parts)).toBe('032180000118359719');
    for (const member of ['bankCode', 'cityCode', 'account'] as const) {
      expectOnlyWhole(parts[member], (text) => !throws(() => newClabe({ ...parts, [member]: text })));
    }
  });
});

test.each(['~', '~0', '0~', 'a'])('a number beside %j is malformed, not one with a wrong digit', (more) => {
  const malformed = { ok: false, reason: 'MALFORMED' };
  for (const [document, read] of [
    ['032180000118359719', parseClabe],
    ['52998224725', parseDocument],
    ['11222333000181', parseDocument],
  ] as const) {
    expect(read(`${more}${document}`)).toEqual(malformed);
    expect(read(`${document}${more}`)).toEqual(malformed);
  }
});

describe('what a mask does not know', () => {
  test.each(['52998224725', '11222333000181', '12ABC34501DE35', '***.982.247-**', '**.222.333/0001-**'])(
    'in %s as soon as anything stands beside it, is hidden altogether',
    (document) => {
      fc.assert(
        fc.property(fc.constantFrom('<', '<0', '0<', '\n'), (more) => {
          for (const text of [`${more}${document}`, `${document}${more}`]) {
            expect(maskDocument(text), JSON.stringify(text)).toBe('*'.repeat(Math.min(text.length, 14)));
          }
        }),
      );
    },
  );

  test('is hidden at its length, up to fourteen characters', () => {
    expect([maskDocument('abc'), maskDocument('a'.repeat(40))]).toEqual(['***', '*'.repeat(14)]);
  });

  test.each([
    ['email', 'joao@shop.example', 'j***@shop.example'],
    ['phone', '+5561998880000', '+55******00'],
    ['random', '123e4567-e12b-12d1-a456-426655440000', '123e****'],
  ] as const)('in a key of type %s, is hidden altogether', (type, key, masked) => {
    expect(maskPixKey(type, key)).toBe(masked);
    for (const text of [`~ ${key}`, `${key} ~`, 'x', '']) expect(maskPixKey(type, text), text).toBe('***');
  });
});

describe('a code that is read', () => {
  const signed = (body: string) => `${body}6304${crc16(`${body}6304`)}`;
  const fieldsOf = (change: Readonly<Record<string, string | undefined>> = {}) => {
    const fields: Record<string, string | undefined> = {
      '00': '01',
      '26': '0014br.gov.bcb.pix0106a@b.co',
      '52': '0000',
      '53': '986',
      '58': 'BR',
      '59': 'Loja',
      '60': 'Recife',
      '62': '0503***',
      ...change,
    };
    const texts = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
    return signed(
      texts
        .map(([id, value]) => (value === undefined ? '' : `${id}${String(value.length).padStart(2, '0')}${value}`))
        .join(''),
    );
  };
  const reasonOf = (change: Readonly<Record<string, string | undefined>>) => {
    const result = parseBrCode(fieldsOf(change));
    return result.ok ? null : result.reason;
  };
  const brCodeOf = (change: Readonly<Record<string, string | undefined>>) => {
    const result = parseBrCode(fieldsOf(change));
    if (!result.ok) throw new Error(result.reason);
    return result.brCode;
  };

  test.each([
    ['00', '01', 'PAYLOAD_FORMAT'],
    ['01', '12', 'POINT_OF_INITIATION'],
    ['52', '0000', 'MERCHANT_CATEGORY'],
    ['53', '986', 'CURRENCY'],
    ['54', '1.00', 'AMOUNT'],
    ['58', 'BR', 'COUNTRY'],
  ])('is refused when field %s, %s, has anything before or behind it', (id, value, reason) => {
    expect(reasonOf({ [id]: value })).toBeNull();
    for (const text of [`x${value}`, `${value}x`]) expect(reasonOf({ [id]: text }), text).toBe(reason);
  });

  test('is refused without a field that every code has, and for another currency', () => {
    expect(reasonOf({ '52': undefined })).toBe('MERCHANT_CATEGORY');
    expect(reasonOf({ '53': '840' })).toBe('CURRENCY');
    expect(reasonOf({ '59': undefined })).toBe('MERCHANT_NAME');
  });

  test('has the category, the postal code and the amount it was written with, whole reais too', () => {
    expect(brCodeOf({ '52': '5812', '61': '01001000', '54': '10' })).toMatchObject({
      merchantCategoryCode: '5812',
      postalCode: '01001000',
      amountCents: 1_000,
    });
    expect(brCodeOf({ '54': '10.5' }).amountCents).toBe(1_050);
    expect(brCodeOf({ '54': '10.' }).amountCents).toBe(1_000);
  });

  test('names its texts as too long from one character over the bound, and not before', () => {
    expect(brCodeOf({ '59': 'n'.repeat(25), '60': 'c'.repeat(15), '62': `0525${'t'.repeat(25)}` }).deviations).toEqual(
      [],
    );
    expect(brCodeOf({ '59': 'n'.repeat(26), '60': 'c'.repeat(16), '62': `0526${'t'.repeat(26)}` }).deviations).toEqual([
      'MERCHANT_NAME_TOO_LONG',
      'MERCHANT_CITY_TOO_LONG',
      'TXID_TOO_LONG',
    ]);
  });

  test('finds the txid among the other texts of field 62, and refuses that field where it cannot be read', () => {
    expect(brCodeOf({ '62': '0302XX0503856' }).txid).toBe('856');
    expect(brCodeOf({ '62': '0302XX' }).txid).toBeUndefined();
    expect(reasonOf({ '62': '05' })).toBe('MALFORMED');
    expect(reasonOf({ '62': '0599x' })).toBe('MALFORMED');
  });

  test('of a charge takes any txid, of a key only letters and digits', () => {
    const charge = { '26': '0014br.gov.bcb.pix2507h.x/abc', '62': '0503a-b' };
    expect(brCodeOf(charge)).toMatchObject({ kind: 'dynamic', txid: 'a-b' });
    expect(reasonOf({ '62': '0503a-b' })).toBe('TXID');
    expect(reasonOf({ '62': '0503~a0' })).toBe('TXID');
  });

  test.each([
    ['a template that cannot be read', { '26': '0014br.gov.bcb.pix01' }, 'MALFORMED'],
    ['a recurrence that cannot be read', { '80': '0014br.gov.bcb.pix25' }, 'MALFORMED'],
    ['a recurrence without location', { '80': '0014br.gov.bcb.pix' }, 'ACCOUNT_INVALID'],
    [
      'two recurrences',
      { '80': '0014br.gov.bcb.pix2505h.x/y', '81': '0014br.gov.bcb.pix2505h.x/z' },
      'ACCOUNT_INVALID',
    ],
    ['an account without name', { '26': '0106a@b.co' }, 'NOT_PIX'],
    ['a facilitator of seven digits', { '26': '0014br.gov.bcb.pix0103a@b03071234567' }, 'ACCOUNT_INVALID'],
    ['a facilitator of nine digits', { '26': '0014br.gov.bcb.pix0103a@b0309123456789' }, 'ACCOUNT_INVALID'],
  ])('with %s is refused', (_name, change, reason) => {
    expect(reasonOf(change)).toBe(reason);
  });

  test('may name its account in any of the fields 26 to 51, and a recurrence in 80 to 99', () => {
    expect(brCodeOf({ '26': undefined, '51': '0014br.gov.bcb.pix0106a@b.co' })).toMatchObject({ key: 'a@b.co' });
    expect(brCodeOf({ '99': '0014BR.GOV.BCB.PIX2505h.x/y' }).recurrenceLocation).toBe('h.x/y');
  });

  test('is at most 512 characters long', () => {
    const [description, more] = ['x'.repeat(99), 'y'.repeat(99)];
    const body = (last: number) =>
      fieldsOf({
        '63': undefined,
        '70': description,
        '74': 'w'.repeat(20),
        '71': more,
        '72': more,
        '73': 'z'.repeat(last),
      });
    const filler = 512 - body(1).length + 1;
    expect(body(filler)).toHaveLength(512);
    expect(parseBrCode(body(filler)).ok).toBe(true);
    expect(parseBrCode(body(filler + 1))).toEqual({ ok: false, reason: 'TOO_LONG' });
  });

  test('whose lengths are no digits, or say more than follows, is malformed', () => {
    for (const text of ['0002', '00x201', '000x01', '00-101', '0099x', 'x0002010']) {
      expect(parseBrCode(text).ok, text).toBe(false);
    }
  });
});

test('what is inferred from a text is a telephone number where it begins as one, with blanks or without', () => {
  const phone = { ok: true, type: 'phone', value: '+5561998880000' };
  for (const text of ['(61) 99888-0000', '+55 61 99888-0000', ' 61 99888.0000 ', '55 61 99888-0000']) {
    expect(inferPixKey(text), text).toEqual(phone);
  }
  for (const text of ['0061998880000', '619988800001', 'x+5561998880000']) {
    expect(inferPixKey(text), text).not.toEqual(phone);
  }
});

describe('a code that is written', () => {
  const facts = { key: 'a@b.co', merchantName: 'Loja', merchantCity: 'Recife' };

  test('has the postal code of its merchant', () => {
    expect(parseBrCode(encodeStaticBrCode({ ...facts, postalCode: '01001000' }))).toMatchObject({
      brCode: { postalCode: '01001000' },
    });
  });

  test('folds names: no accents, one space between words, none at the ends', () => {
    const code = encodeStaticBrCode({ ...facts, merchantName: '  Café \t\n da  日 Praça ', merchantCity: 'São  Luís' });
    expect(parseBrCode(code)).toMatchObject({ brCode: { merchantName: 'Cafe da Praca', merchantCity: 'Sao Luis' } });
  });

  test('has no room for a facilitator beside the longest key', () => {
    const key = 'k'.repeat(77);
    expect(throws(() => encodeStaticBrCode({ ...facts, key }))).toBe(false);
    expect(throws(() => encodeStaticBrCode({ ...facts, key, withdrawalIspb: '12345678' }))).toBe(true);
  });

  test('is cut without a blank at the cut', () => {
    const code = encodeStaticBrCode({
      ...facts,
      merchantName: `${'n'.repeat(24)} x`,
      merchantCity: `${'c'.repeat(14)} x`,
    });
    expect(parseBrCode(code)).toMatchObject({
      brCode: { merchantName: 'n'.repeat(24), merchantCity: 'c'.repeat(14) },
    });
  });

  test.each(['h/y', `h.x/${'y'.repeat(73)}`, 'h.x:8443/y'])('has the location it was given: %s', (location) => {
    const code = encodeDynamicBrCode({ location, merchantName: 'Loja', merchantCity: 'Recife' });
    expect(parseBrCode(code)).toMatchObject({ brCode: { kind: 'dynamic', location } });
  });

  test.each(['h/y z', 'h/y\u00e7', '-h/y', 'h-/y'])('has no location that is not host and path: %j', (location) => {
    expect(throws(() => encodeDynamicBrCode({ location, merchantName: 'Loja', merchantCity: 'Recife' }))).toBe(true);
  });
});
