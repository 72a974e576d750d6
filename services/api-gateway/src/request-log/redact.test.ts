import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redacted } from '#src/request-log/redact.ts';

const secrets = [
  ...[
    'sk_live_8fj29dk3l4m5n6p7q8',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'opst_0a1b2c3d4e5f6a7b8c',
    ...['Bearer abcdef.123', 'Basic bWFyaWE6c2VncmVkbw=='],
  ],
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
];
const people = [
  ...[
    '529.982.247-25',
    '52998224725',
    '11.222.333/0001-81',
    '11222333000181',
    '12.ABC.345/01DE-35',
    '646180157034181180',
  ],
  ...['GODE561231GR8', 'GODE561231HDFRRN09', 'maria@example.com', '+5511999990000'],
];

test.each([...secrets, ...people])('%s is in no body that is kept, in whichever member it stands', (text) => {
  const anywhere = { a: text, deep: [{ b: `because ${text} is wrong` }], [`of ${text}`]: 1, metadata: { c: text } };
  expect(redacted(anywhere)).not.toContain(text);
});

test('a member that opens something is hidden, whatever is in it', () => {
  const names = [
    ...['secret_key', 'X-Api-Secret', 'token', 'password', 'Authorization', 'signature', 'claim_url', 'emv', 'pin'],
    ...['X-Api-Key', 'apiKey', 'private_key', 'accessKey', 'Set-Cookie', 'senha', 'passphrase', 'card_pin', 'userPin'],
  ];
  const body = Object.fromEntries(names.map((name) => [name, 'short']));
  expect(Object.values(JSON.parse(redacted(body) ?? '') as object)).toEqual(names.map(() => '***'));
});

test('of headers the names alone are kept, whatever they are called and however they are nested', () => {
  const headers = { 'X-Shop-Key': 'plain-words', 'X-Auth': ['other'], tenant: { id: 7, on: true } };
  const names = { 'X-Shop-Key': '***', 'X-Auth': ['***'], tenant: { id: '***', on: '***' } };
  const kept = redacted({ headers, nested: [{ request_headers: headers }], replyHeaders: 'X-Shop-Key: plain-words' });
  expect(JSON.parse(kept ?? '')).toEqual({
    headers: names,
    nested: [{ request_headers: names }],
    replyHeaders: '***',
  });
});

test('a text is hidden although it has stars in it already', () => {
  const body = { description: 'Maria da Silva ***', metadata: { seller: '***Maria' }, payer: { name: '*** Maria' } };
  expect(redacted(body)).toBe('{"description":"***","metadata":{"seller":"***"},"payer":{"name":"**** M***"}}');
});

test('what names a person is hidden in members that no operation has, and in texts in which anything may stand', () => {
  const body = {
    customer: { full_name: 'Maria da Silva', birth_date: '1990-01-02', address: { street: 'Rua Um', number: 7 } },
    ...{ nome: 'Maria', customerName: 'Maria', phones: [11_999_990_000] },
    ...{ description: 'para Maria', metadata: { seller: 'Maria' }, reason: 'Maria asked' },
  };
  const kept = redacted(body) ?? '';
  for (const text of ['Maria', 'Silva', 'Rua', '1990', '7', '99999']) expect(kept).not.toContain(text);
  expect(JSON.parse(kept)).toMatchObject({ description: '***', metadata: { seller: '***' }, phones: ['***'] });
});

test('an address loses its query, in which a token may stand', () => {
  expect(redacted({ a: 'https://shop.example/hook?key=s3cret#x' })).toBe('{"a":"https://shop.example/hook?***"}');
});

test.each(['pay/dep', 'exports/exp', 'evidence/med'])('a link of ours to %s loses the token that opens it', (kind) => {
  const link = `https://gateway.example/${kind}_01k9z3m4v6t8x0a2c4e6g8jk01/`;
  expect(redacted({ a: `${link}s3cret-t0ken` })).toBe(JSON.stringify({ a: `${link}***` }));
});

test('a code that is paid by, and a document behind an underscore, are hidden in any member', () => {
  const code = '00020126580014BR.GOV.BCB.PIX0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR';
  expect(redacted({ a: `pay ${code}`, b: 'order_52998224725' })).toBe('{"a":"pay ***","b":"order_***"}');
});

test('what the database cannot keep in a text is left out', () => {
  expect(redacted({ 'a\0': 'b\0\uD800' })).toBe('{"a":"b\uFFFD"}');
});

test('what a developer looks for stays: ids, amounts, references, states and the words of refusals', () => {
  const kept = {
    ...{ id: 'dep_01k9z3m4v6t8x0a2c4e6g8jk01', amount_cents: 1_990, external_id: 'order-1001', status: 'PENDING' },
    error: { code: 'VALIDATION_ERROR', details: [{ path: 'amount_cents', message: 'must be at least 1' }] },
  };
  expect(JSON.parse(redacted(kept) ?? '')).toEqual(kept);
});

test('a document, key or phone that was sent as a number is hidden, and neither an amount nor a time is', () => {
  for (const digits of [52_998_224_725, 982_247_250, 5_511_999_990_000, 64_618_015_703_418_118, -52_998_224_725]) {
    for (const name of ['a', 'created_at', 'since']) expect(redacted({ [name]: [digits] })).toBe(`{"${name}":["***"]}`);
  }
  const kept = { amount_cents: 10_000_000_000, balance_after: 9_999_999_999, created_at: 1_790_000_000, a: 99_999_999 };
  expect(JSON.parse(redacted(kept) ?? '')).toEqual(kept);
});

test('a member that is masked is hidden whole when it is no text', () => {
  const parts = [['529 982', '247 25'], { part: '529 982 247 25' }, 5_299, true];
  for (const part of parts)
    expect(redacted({ pix_key: part, document: part })).toBe('{"pix_key":"***","document":"***"}');
});

test('a member may be called like what every object has', () => {
  expect(redacted({ hasOwnProperty: 'a', constructor: 'b' })).toBe('{"hasOwnProperty":"a","constructor":"b"}');
});

test('a body of more than 8 KiB is not kept, and none is kept in part', () => {
  expect(redacted({ a: 'x'.repeat(8_184) })).toHaveLength(8_192);
  expect(redacted({ a: 'x'.repeat(8_185) })).toBeNull();
  expect(redacted(undefined)).toBeNull();
});

test('no body of eleven digits survives, wherever they stand', () => {
  const cpf = fc.stringMatching(/^\d{11}$/);
  fc.assert(
    fc.property(cpf, fc.string(), (digits, name) => {
      expect(redacted({ [name]: [`x ${digits} y`] })).not.toContain(digits);
    }),
  );
});
