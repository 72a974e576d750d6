import { isValidPixPayload, getPixPayloadInfo } from '@brazilian-utils/brazilian-utils';
import fc from 'fast-check';
import { hasError, isDynamicPix, isStaticPix, parsePix } from 'pix-utils';
import { describe, expect, test } from 'vitest';
import {
  brCodeAmountMaxCents,
  encodeDynamicBrCode,
  encodeStaticBrCode,
  parseBrCode,
  type DynamicBrCodeInput,
  type StaticBrCodeInput,
} from '#src/index.ts';
import { validBrCodes } from './vectors/vectors.ts';

const codeOf = (kind: string): string => validBrCodes.find((vector) => vector.kind.startsWith(kind))?.code ?? '';

const amount = fc.integer({ min: 1, max: brCodeAmountMaxCents });
const merchant = {
  merchantName: fc
    .tuple(fc.stringMatching(/^[A-Z]$/), fc.string({ unit: 'grapheme', maxLength: 60 }))
    .map((p) => p.join('')),
  merchantCity: fc
    .tuple(fc.stringMatching(/^[A-Z]$/), fc.string({ unit: 'grapheme', maxLength: 40 }))
    .map((p) => p.join('')),
  amountCents: fc.option(amount, { nil: undefined }),
};
const dynamicInput: fc.Arbitrary<DynamicBrCodeInput> = fc.record({
  ...merchant,
  location: fc.stringMatching(/^[a-z]{1,20}\.com\.br\/qr\/v2\/[0-9a-f]{32}$/),
  use: fc.constantFrom('once', 'reusable'),
});
const staticInput: fc.Arbitrary<StaticBrCodeInput> = fc.record({
  ...merchant,
  key: fc.oneof(fc.uuid(), fc.stringMatching(/^[a-z0-9]{1,65}@example\.com$/)),
  txid: fc.option(fc.stringMatching(/^[A-Za-z0-9]{1,25}$/), { nil: undefined }),
  description: fc.option(fc.string({ unit: 'grapheme', maxLength: 100 }), { nil: undefined }),
});

describe('dynamic codes', () => {
  test('the unpayable code of test mode comes out byte for byte', () => {
    const sandbox = {
      location: 'pix.sandbox.invalid/qr/v2/9d36b84fc70b478fb95c12729b90ca25',
      merchantName: 'TEST MODE NAO PAGAR',
      merchantCity: 'SANDBOX',
    };
    expect(encodeDynamicBrCode({ ...sandbox, amountCents: 1000 })).toBe(codeOf('SYNTHETIC unpayable dynamic (RFC'));
    const location = 'pix.sandbox.invalid/qr/v2/00000000000000000000000000000001';
    expect(encodeDynamicBrCode({ ...sandbox, location, amountCents: 1 })).toBe(
      codeOf('SYNTHETIC unpayable dynamic, 1'),
    );
  });

  test('a public code of a bank comes out byte for byte', () => {
    const code = encodeDynamicBrCode({
      location: 'payload.psp.com/3ec9d2f9-5f03-4e0e-820d-63a81e769e87',
      merchantName: 'THALES OGLIARI',
      merchantCity: 'SAO MIGUEL DO OESTE',
    });
    expect(code).toBe(codeOf('DYNAMIC_ONE_TIME'));
  });

  test('whatever is encoded is read back, breaks no rule for writers, and convinces two other libraries', () => {
    fc.assert(
      fc.property(dynamicInput, (input) => {
        const code = encodeDynamicBrCode(input);
        expect(parseBrCode(code)).toMatchObject({
          ok: true,
          brCode: {
            kind: 'dynamic',
            location: input.location,
            use: input.use,
            amountCents: input.amountCents,
            deviations: [],
          },
        });
        expect(code).toMatch(/^[\x20-\x7e]{1,512}$/);
        expect(isValidPixPayload(code)).toBe(true);
        const second = parsePix(code);
        expect(!hasError(second) && isDynamicPix(second) && second.url).toBe(input.location);
      }),
    );
  });

  test.each([
    'https://pix.example.com/qr/1',
    'pix.example.com',
    `pix.example.com/${'a'.repeat(62)}`,
    'pix example.com/1',
  ])('a location that is not host and path is not written: %s', (location) => {
    expect(() => encodeDynamicBrCode({ location, merchantName: 'A', merchantCity: 'B' })).toThrow(RangeError);
  });
});

describe('static codes', () => {
  test("the example of the Banco Central's manual comes out byte for byte", () => {
    const code = encodeStaticBrCode({
      key: '123e4567-e12b-12d1-a456-426655440000',
      merchantName: 'Fulano de Tal',
      merchantCity: 'BRASILIA',
    });
    expect(code).toBe(codeOf('static EVP'));
  });

  test('key, description, amount and txid come out byte for byte', () => {
    const merchantCity = 'SÃO MIGUEL DO OESTE';
    expect(
      encodeStaticBrCode({
        key: 'thalesog@me.com',
        description: 'Pedido 123',
        merchantName: 'Thales Ogliari'.toUpperCase(),
        merchantCity,
        amountCents: 1000,
      }),
    ).toBe(codeOf('STATIC_TEST_EMV'));
    expect(
      encodeStaticBrCode({
        key: '12ABC34501DE35',
        merchantName: 'EMPRESA ALFA LTDA',
        merchantCity: 'BRASILIA',
        amountCents: 100,
      }),
    ).toBe(codeOf('static with the official alphanumeric'));
  });

  test('whatever is encoded is read back, breaks no rule for writers, and convinces two other libraries', () => {
    fc.assert(
      fc.property(staticInput, (input) => {
        const code = encodeStaticBrCode(input);
        expect(parseBrCode(code)).toMatchObject({
          ok: true,
          brCode: {
            kind: 'static',
            key: input.key,
            txid: input.txid,
            amountCents: input.amountCents,
            deviations: [],
          },
        });
        expect(code).toMatch(/^[\x20-\x7e]{1,512}$/);
        expect(getPixPayloadInfo(code)?.key).toBe(input.key);
        const second = parsePix(code);
        expect(!hasError(second) && isStaticPix(second) && second.pixKey).toBe(input.key);
      }),
    );
  });

  test('a description gives way to the key and to the facilitator of a withdrawal', () => {
    const input = { merchantName: 'A', merchantCity: 'B', description: 'd'.repeat(99) };
    const withdrawal = parseBrCode(encodeStaticBrCode({ ...input, key: 'a@b.c', withdrawalIspb: '12345678' }));
    expect(withdrawal).toMatchObject({ brCode: { description: 'd'.repeat(56), withdrawalIspb: '12345678' } });
    const longKey = `${'k'.repeat(65)}@example.com`;
    expect(parseBrCode(encodeStaticBrCode({ ...input, key: longKey }))).toMatchObject({
      ok: true,
      brCode: { key: longKey, description: undefined },
    });
  });
});

describe('values that cannot be written', () => {
  const input = { key: 'a@b.c', merchantName: 'Loja', merchantCity: 'Recife' };

  test.each([0, -1, 1.5, Number.NaN, brCodeAmountMaxCents + 1])('amount %s', (amountCents) => {
    expect(() => encodeStaticBrCode({ ...input, amountCents })).toThrow(RangeError);
  });

  test.each([
    { merchantName: '日本' },
    { merchantCity: '   ' },
    { postalCode: '1234-567' },
    { txid: 'a-b' },
    { txid: 'a'.repeat(26) },
    { key: '' },
    { key: 'k'.repeat(78) },
    { withdrawalIspb: '123' },
  ])('%o', (change) => {
    expect(() => encodeStaticBrCode({ ...input, ...change })).toThrow(RangeError);
  });
});
