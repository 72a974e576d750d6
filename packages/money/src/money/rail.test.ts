import { describe, expect, test } from 'vitest';
import { currencySchema, type Currency } from '#src/money/currency.ts';
import {
  currenciesOn,
  moves,
  paymentMethodSchema,
  payoutKeyTypes,
  railCurrencies,
  railOf,
  rails,
  railsOf,
  requireRailCurrency,
  type PaymentMethod,
} from '#src/money/rail.ts';

const names = paymentMethodSchema.options;

/** Written a second time (api.md 1 and 3): a change of a rail has to be meant. */
const railsIn: Readonly<Record<Currency, readonly PaymentMethod[]>> = { BRL: ['PIX'], MXN: ['SPEI'], USDT: [] };

test('the rails are PIX and SPEI, each with its country, its zone, its charge and who types the amount', () => {
  expect(names).toEqual(['PIX', 'SPEI']);
  expect(rails.PIX).toMatchObject({
    country: 'BR',
    timeZone: 'America/Sao_Paulo',
    charge: { type: 'pix', kind: 'code', flow: 'QR' },
    amountTypedBy: 'charge',
    payoutKeyTypes: ['cpf', 'cnpj', 'email', 'phone', 'random'],
  });
  expect(rails.SPEI).toMatchObject({
    country: 'MX',
    timeZone: 'America/Mexico_City',
    charge: { type: 'spei', kind: 'account', flow: 'REDIRECT' },
    amountTypedBy: 'payer',
    payoutKeyTypes: ['clabe'],
  });
});

test('ids of PIX are a letter, the ISPB, twelve digits of time and eleven characters; SPEI has tracking keys', () => {
  const rest = '12345678202601021044abcDEF01234';
  const { paymentIdPattern, returnIdPattern } = rails.PIX;
  expect(paymentIdPattern.test(`E${rest}`)).toBe(true);
  expect(returnIdPattern.test(`D${rest}`)).toBe(true);
  for (const misfit of [`D${rest}`, `E${rest}x`, ` E${rest}`, `E${rest.slice(1)}`, `e${rest}`]) {
    expect(paymentIdPattern.test(misfit)).toBe(false);
  }
  for (const misfit of [`E${rest}`, `D${rest}x`, ` D${rest}`, `D${rest.slice(1)}`]) {
    expect(returnIdPattern.test(misfit)).toBe(false);
  }
  for (const pattern of [rails.SPEI.paymentIdPattern, rails.SPEI.returnIdPattern]) {
    for (const key of ['A', '0'.repeat(29)]) expect(pattern.test(key)).toBe(true);
    for (const misfit of ['', 'a', 'A'.repeat(30), 'A ']) expect(pattern.test(misfit)).toBe(false);
  }
});

describe.each(currencySchema.options)('%s', (currency) => {
  test('moves on its own rails and on no other', () => {
    expect(railsOf(currency)).toEqual(railsIn[currency]);
    for (const rail of names) expect(moves(currency, rail)).toBe(railsIn[currency].includes(rail));
  });

  test('is refused where money is to move when it has no rail, and has its usual rail otherwise', () => {
    const [usual] = railsIn[currency];
    if (usual) expect(railOf(requireRailCurrency(currency))).toBe(usual);
    else expect(() => requireRailCurrency(currency)).toThrow(`${currency} moves on no rail`);
  });
});

test('the currencies on some rails are those rails have, each once and no other', () => {
  expect(railCurrencies).toEqual(['BRL', 'MXN']);
  expect(currenciesOn([])).toEqual([]);
  expect(currenciesOn(['SPEI'])).toEqual(['MXN']);
  expect(currenciesOn(['SPEI', 'PIX'])).toEqual(['BRL', 'MXN']);
});

test('every charge type names one rail, and every time zone is one of the IANA', () => {
  const types = names.map((rail) => rails[rail].charge.type);
  expect(new Set(types).size).toBe(types.length);
  for (const rail of names) {
    expect(Intl.DateTimeFormat('en', rails[rail]).resolvedOptions().timeZone).toBe(rails[rail].timeZone);
  }
});

test('a key type that two rails share is listed once', () => {
  expect(new Set(payoutKeyTypes).size).toBe(payoutKeyTypes.length);
  for (const rail of names) expect(payoutKeyTypes).toEqual(expect.arrayContaining([...rails[rail].payoutKeyTypes]));
});
