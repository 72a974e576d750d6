import { describe, expect, test } from 'vitest';
import { customHeadersSchema } from '#src/webhooks/custom-headers.ts';

const accepts = (headers: unknown) => customHeadersSchema.safeParse(headers).success;

describe('custom headers', () => {
  test.each([{}, { Authorization: 'Bearer a.b-c_d==' }, { 'X-Tenant': '7', 'x-other': 'a b  c' }])(
    'may be %j',
    (headers) => expect(accepts(headers)).toBe(true),
  );

  test.each([
    { 'x-a': 'b\r\nx-evil: 1' },
    { 'x-a': 'b\n' },
    { 'x-a': 'b\0' },
    { 'x-a': ' b' },
    { 'x-a': '' },
    { 'x-a': 'São' },
    { 'x-a': 'y'.repeat(1_025) },
    { 'x-a\r\nx-evil': 'b' },
    { 'x a': 'b' },
    { 'x:a': 'b' },
    { '': 'b' },
    { ['y'.repeat(65)]: 'b' },
  ])('cannot add lines or bytes of their own: %j', (headers) => expect(accepts(headers)).toBe(false));

  test.each([
    ...['Host', 'Content-Length', 'content-type', 'Transfer-Encoding', 'Connection', 'User-Agent', 'Accept-Encoding'],
    ...['X-Gateway-Signature', 'x-gateway-anything', 'webhook-id', 'Webhook-Signature', 'Proxy-Authorization'],
  ])('cannot be %s, which is not the merchant’s to say', (name) => {
    const { error } = customHeadersSchema.safeParse({ [name]: 'x' });
    expect(error?.issues).toMatchObject([{ path: [name], message: 'is a reserved header' }]);
  });

  test('are twenty at most, and each is given once', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, 'y']));
    expect(accepts(many(20))).toBe(true);
    expect(accepts(many(21))).toBe(false);
    expect(accepts({ 'X-A': '1', 'x-a': '2' })).toBe(false);
  });
});
