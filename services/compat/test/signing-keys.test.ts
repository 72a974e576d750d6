import { randomBytes, randomUUID } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { SecretBox } from '@gateway/runtime';
import { migrations } from '#src/migrations/migrations.ts';
import { issueAccessToken } from '#src/tokens/issue-access-token.ts';
import { SigningKey } from '#src/tokens/signing-key.ts';
import { SigningKeys } from '#src/tokens/signing-keys.ts';
import { verifyAccessToken } from '#src/tokens/verify-access-token.ts';

const secretsKey = randomBytes(32);
const noon = new Date('2026-03-01T12:00:00Z');
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1_000);
const lifetimeSec = 8 * 3_600;
const signingPeriodMs = 30 * 86_400_000;

let testDatabase: TestDatabase;
let keys: SigningKeys;
beforeAll(async () => {
  testDatabase = await createTestDatabase('compat', { entities: [SigningKey], migrations });
  keys = new SigningKeys(testDatabase.database, new SecretBox([secretsKey]));
});
beforeEach(async () => {
  await testDatabase.database.query('delete from signing_key');
  await keys.ensureOne(noon);
});
afterAll(async () => testDatabase[Symbol.asyncDispose]());

/** Replaces the key that signs, as if it had signed for thirty days. */
async function rotate(at: Date): Promise<void> {
  const created = new Date(at.getTime() - signingPeriodMs);
  await testDatabase.database.query('update signing_key set created_at = $1 where retired_at is null', [created]);
  expect(await keys.rotateWhenDue(at)).toBe(true);
}

const codeOf = async (verification: Promise<unknown>) => {
  const error = await verification.catch((reason: unknown) => reason);
  return error instanceof DomainError ? error.code : error;
};

describe('the signing key', () => {
  test('is one for all replicas, however many start at once', async () => {
    await testDatabase.database.query('delete from signing_key');
    const replicas = Array.from(
      { length: 8 },
      () => new SigningKeys(testDatabase.database, new SecretBox([secretsKey])),
    );
    await Promise.all(replicas.map((replica) => replica.ensureOne(noon)));
    const ids = await Promise.all(replicas.map(async (replica) => (await replica.current()).id));
    expect(new Set(ids).size).toBe(1);
    const token = await issueAccessToken(replicas[0]!, 'pk_live_a', noon);
    expect(await verifyAccessToken(replicas[7]!, token, noon)).toBe('pk_live_a');
  });

  test('is never two: the database refuses a second one', async () => {
    const second = testDatabase.database.query('insert into signing_key values ($1, $2, $3)', [
      randomUUID(),
      'x',
      noon,
    ]);
    await expect(second).rejects.toThrow('signing_key_one_current');
  });

  test('is not readable in the database, nor with another SECRETS_KEY, nor in another row', async () => {
    const { id, secret } = await keys.current();
    const [row] = await testDatabase.database.query<{ sealed: string }>(
      'select sealed from signing_key where id = $1',
      [id],
    );
    const sealed = row!.sealed;
    for (const encoding of ['hex', 'base64', 'base64url', 'latin1'] as const) {
      expect(sealed).not.toContain(Buffer.from(secret).toString(encoding));
    }
    const stranger = new SigningKeys(testDatabase.database, new SecretBox([randomBytes(32)]));
    await expect(stranger.current()).rejects.toThrow('is not configured');
    expect(() => new SecretBox([secretsKey]).open(sealed, 'signing-key:another')).toThrow();
    // A character in the middle: the last one may hold bits that belong to no byte.
    const middle = sealed.length - 8;
    const changed = `${sealed.slice(0, middle)}${sealed[middle] === 'A' ? 'B' : 'A'}${sealed.slice(middle + 1)}`;
    expect(() => new SecretBox([secretsKey]).open(changed, `signing-key:${id}`)).toThrow();
  });
});

describe('the rotation of the signing key', () => {
  test('waits until a key has signed for thirty days', async () => {
    const { id } = await keys.current();
    expect(await keys.rotateWhenDue(new Date(noon.getTime() + signingPeriodMs - 1))).toBe(false);
    expect((await keys.current()).id).toBe(id);
    expect(await keys.rotateWhenDue(new Date(noon.getTime() + signingPeriodMs))).toBe(true);
    expect((await keys.current()).id).not.toBe(id);
  });

  test('is done by one of the replicas that find it due at once, and each signs with its key', async () => {
    const due = new Date(noon.getTime() + signingPeriodMs);
    const replicas = Array.from(
      { length: 8 },
      () => new SigningKeys(testDatabase.database, new SecretBox([secretsKey])),
    );
    const rotated = await Promise.all(replicas.map((replica) => replica.rotateWhenDue(due)));
    expect(rotated.filter(Boolean)).toHaveLength(1);
    const ids = await Promise.all(replicas.map(async (replica) => (await replica.current()).id));
    expect(new Set(ids).size).toBe(1);
  });

  test('removes a key when the last token it signed has expired, not before', async () => {
    const { id } = await keys.current();
    await rotate(later(0));
    await keys.rotateWhenDue(later(lifetimeSec - 1));
    const count = async () =>
      (await testDatabase.database.query('select 1 from signing_key where id = $1', [id])).length;
    expect(await count()).toBe(1);
    await keys.rotateWhenDue(later(lifetimeSec));
    expect(await count()).toBe(0);
  });
});

describe('a token over time', () => {
  test('is in force for eight hours and not a second longer', async () => {
    const token = await issueAccessToken(keys, 'pk_live_a', noon);
    expect(await verifyAccessToken(keys, token, later(lifetimeSec - 1))).toBe('pk_live_a');
    expect(await codeOf(verifyAccessToken(keys, token, later(lifetimeSec)))).toBe('AUTH_INVALID');
  });

  test('outlives the rotation of its key, while new ones carry the new key id', async () => {
    const before = await issueAccessToken(keys, 'pk_live_before', noon);
    await rotate(later(60));
    const after = await issueAccessToken(keys, 'pk_live_after', later(61));
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    expect(await verifyAccessToken(keys, before, later(120))).toBe('pk_live_before');
    expect(await verifyAccessToken(keys, after, later(120))).toBe('pk_live_after');
  });

  test('is void once its key was retired for as long as a token lives, or removed', async () => {
    const { id, secret } = await keys.current();
    const token = await issueAccessToken(keys, 'pk_live_a', noon);
    await rotate(later(0));
    expect((await keys.find(id, later(lifetimeSec - 1)))?.secret).toEqual(secret);
    expect(await keys.find(id, later(lifetimeSec))).toBeUndefined();
    await testDatabase.database.query('delete from signing_key where id = $1', [id]);
    expect(await codeOf(verifyAccessToken(keys, token, noon))).toBe('AUTH_INVALID');
  });
});
