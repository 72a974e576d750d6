import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LinkTokens } from '#src/secrets/link-tokens.ts';

const grant = { environment: 'live', accountId: 'acc_01k9z3m4v6t8x0a2c4e6g8jk01', expiresAt: 1_800_000_000 };
const before = new Date((grant.expiresAt - 1) * 1_000);
const after = new Date(grant.expiresAt * 1_000);
// Fixed, so that the names of the tests are the same in every run.
const key = Buffer.alloc(32, 9);
const tokens = new LinkTokens([key]);
const token = tokens.issue('dep_1', grant);

describe('a link token', () => {
  test('grants what it was issued for until its time is up', () => {
    expect(tokens.verify(token, 'dep_1', before)).toEqual(grant);
    expect(tokens.verify(token, 'dep_1', after)).toBeNull();
  });

  test('opens nothing else, for nobody else, and not for longer', () => {
    expect(tokens.verify(token, 'dep_2', before)).toBeNull();
    expect(tokens.verify(token.replace('live', 'test'), 'dep_1', before)).toBeNull();
    expect(tokens.verify(token.replace('jk01', 'jk02'), 'dep_1', before)).toBeNull();
    expect(tokens.verify(token.replace('1800000000', '1900000000'), 'dep_1', after)).toBeNull();
  });

  test.each(['', '.', 'a.b.c', `${token}.`, `${token}=`, token.slice(0, -1), `${token}A`, 'x'.repeat(10_000)])(
    'that is not whole is refused: %j',
    (text) => expect(tokens.verify(text, 'dep_1', before)).toBeNull(),
  );

  test('outlives a change of the key while the old one is still known, and not its removal', () => {
    const next = randomBytes(32);
    expect(new LinkTokens([next, key]).verify(token, 'dep_1', before)).toEqual(grant);
    expect(new LinkTokens([next]).verify(token, 'dep_1', before)).toBeNull();
  });

  test('is the same in every process that has the key: environment, account, end and the HMAC of all and the resource', () => {
    const fixed = new LinkTokens([Buffer.alloc(32, 7)]);
    const [environment, account, end, mac] = fixed.issue('dep_1', grant).split('.');
    expect([environment, account, end]).toEqual(['live', grant.accountId, '1800000000']);
    const derived = Buffer.from(hkdfSync('sha256', Buffer.alloc(32, 7), '', 'link tokens', 32));
    const claim = `dep_1\nlive.${grant.accountId}.1800000000`;
    expect(mac).toBe(createHmac('sha256', derived).update(claim).digest('base64url'));
  });

  test('ends in a number of seconds of at most twelve digits', () => {
    const issued = (expiresAt: number) => tokens.issue('dep_1', { ...grant, expiresAt });
    expect(tokens.verify(issued(999_999_999_999), 'dep_1', before)).toMatchObject({ expiresAt: 999_999_999_999 });
    for (const end of [1_000_000_000_000, -1, 1_800_000_000.5, Number.NaN]) {
      expect(tokens.verify(issued(end), 'dep_1', before), String(end)).toBeNull();
    }
    const mac = token.split('.')[3];
    for (const end of ['', 'x1800000000', '1800000000x', ' 1800000000', '1e9']) {
      expect(tokens.verify(`live.${grant.accountId}.${end}.${mac}`, 'dep_1', before)).toBeNull();
    }
  });

  test('is issued only with a key', () => {
    expect(() => new LinkTokens([])).toThrow('need a key');
  });
});
