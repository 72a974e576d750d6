import { randomBytes } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { issueAccessToken } from '#src/tokens/issue-access-token.ts';
import type { SigningKeys, TokenKey } from '#src/tokens/signing-keys.ts';
import { verifyAccessToken } from '#src/tokens/verify-access-token.ts';

const now = new Date('2026-03-04T05:06:07.999Z');
const issuedAt = Math.floor(now.getTime() / 1_000);
const lifetimeSec = 8 * 3_600;
const at = (second: number) => new Date(second * 1_000);
const key: TokenKey = { id: '0d0c1f4e-7a55-4b3e-9b0a-0f2c1d3e4f5a', secret: randomBytes(32) };

/** The keys of the service without their database, and the ids that were looked for. */
function keysWith(found: TokenKey | undefined = key, looked: string[] = []): SigningKeys {
  const find = async (id: string) => {
    looked.push(id);
    return id === found?.id ? found : undefined;
  };
  return { current: async () => key, find } as unknown as SigningKeys;
}

const refused = { code: 'AUTH_INVALID', message: 'the token is not valid or has expired' };

/** A token with everything right but what the test changes. */
async function tokenWith(change: {
  readonly header?: object;
  readonly claims?: object;
  readonly secret?: Uint8Array;
}): Promise<string> {
  const claims = { iss: 'compat', sub: 'pk_1', iat: issuedAt, exp: issuedAt + lifetimeSec, ...change.claims };
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.id, ...change.header })
    .sign(change.secret ?? key.secret);
}

describe('an access token', () => {
  test('names its key, its holder, and when it was issued and ends, eight hours later', async () => {
    const token = await issueAccessToken(keysWith(), 'pk_1', now);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid: key.id });
    const claims = { iss: 'compat', sub: 'pk_1', iat: issuedAt, exp: issuedAt + lifetimeSec };
    expect(decodeJwt(token)).toEqual(claims);
  });

  test('stands for its holder until its last second, and not after', async () => {
    const token = await issueAccessToken(keysWith(), 'pk_1', now);
    for (const second of [issuedAt, issuedAt + lifetimeSec - 1]) {
      expect(await verifyAccessToken(keysWith(), token, at(second))).toBe('pk_1');
    }
    await expect(verifyAccessToken(keysWith(), token, at(issuedAt + lifetimeSec))).rejects.toMatchObject(refused);
  });

  test('that is ours in everything is accepted, so that each refusal below has one cause', async () => {
    expect(await verifyAccessToken(keysWith(), await tokenWith({}), now)).toBe('pk_1');
  });

  test.each<[string, Parameters<typeof tokenWith>[0]]>([
    ['another secret', { secret: randomBytes(32) }],
    ['another algorithm', { header: { alg: 'HS512' }, secret: randomBytes(64) }],
    ['another issuer', { claims: { iss: 'another' } }],
    ['no issuer', { claims: { iss: undefined } }],
    ['no holder', { claims: { sub: undefined } }],
    ['no end', { claims: { exp: undefined } }],
    ['an end in the past', { claims: { exp: issuedAt } }],
    ['no key', { header: { kid: undefined } }],
    ['a key that is not one of ours', { header: { kid: '0d0c1f4e-7a55-4b3e-9b0a-0f2c1d3e4f5b' } }],
  ])('with %s is refused, always in the same words', async (_name, change) => {
    await expect(verifyAccessToken(keysWith(), await tokenWith(change), now)).rejects.toMatchObject(refused);
  });

  test('of our own secret, but another algorithm than we sign with, is refused', async () => {
    const long = { ...key, secret: randomBytes(64) };
    const token = await tokenWith({ header: { alg: 'HS512' }, secret: long.secret });
    await expect(verifyAccessToken(keysWith(long), token, now)).rejects.toMatchObject(refused);
  });

  test.each(['x', `${key.id}0`, `0${key.id}`, key.id.toUpperCase(), `${key.id.slice(0, -1)}'`])(
    'with the key id %j is refused without a look into the database',
    async (kid) => {
      const looked: string[] = [];
      const token = await tokenWith({ header: { kid } });
      await expect(verifyAccessToken(keysWith(key, looked), token, now)).rejects.toMatchObject(refused);
      expect(looked).toEqual([]);
    },
  );

  test.each(['', 'x', 'a.b.c', '..'])('that is none is refused: %j', async (text) => {
    await expect(verifyAccessToken(keysWith(), text, now)).rejects.toMatchObject(refused);
  });

  test('is no reason to hide a failure of ours', async () => {
    const broken = {
      find: async () => await Promise.reject(new Error('the database is gone')),
    } as unknown as SigningKeys;
    await expect(verifyAccessToken(broken, await tokenWith({}), now)).rejects.toThrow('the database is gone');
    const unusable = keysWith({ ...key, secret: 7 as unknown as Uint8Array });
    await expect(verifyAccessToken(unusable, await tokenWith({}), now)).rejects.toThrow(TypeError);
  });
});
