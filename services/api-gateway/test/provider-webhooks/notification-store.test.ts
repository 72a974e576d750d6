import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ProviderNotification } from '@gateway/providers';
import { kitMigrations } from '@gateway/persistence';
import { createTestDatabase, eventually, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { NotificationStore } from '#src/provider-webhooks/notification-store.ts';
import { migrations } from '../../migrations/index.ts';

let stored: TestDatabase;
beforeAll(async () => {
  stored = await createTestDatabase('api-gateway', { migrations: [...kitMigrations, ...migrations] });
});
afterAll(async () => stored[Symbol.asyncDispose]());
beforeEach(async () => void (await stored.database.query('truncate notification, outbox')));

const notification = (text: string, receivedAt = new Date()): ProviderNotification => ({
  rawBody: Buffer.from(text),
  headers: { 'x-trace': 'a' },
  query: { '\0': '\ud800' },
  pathSuffix: '',
  remoteIp: '192.0.2.1',
  receivedAt,
});

/** Keeps three; one that is kept during a count is counted twice until the next one. */
async function fill(store: NotificationStore): Promise<void> {
  for (const text of ['one', 'two', 'three']) await eventually(() => store.keep('efi', notification(text), 'hint'));
}

test('more notifications than may wait to be read are refused until some are read, for one provider and not for others', async () => {
  await using store = new NotificationStore({ database: stored.database, logger: silentLogger, unreadMax: 3 });
  await fill(store);
  const refused = { code: 'SERVICE_UNAVAILABLE', retryAfterSec: 30 };
  await expect(store.keep('efi', notification('four'), 'hint')).rejects.toMatchObject(refused);
  await store.keep('woovi', notification('other'), 'ours');
  // Another gateway counts what this one has kept.
  await using other = new NotificationStore({ database: stored.database, logger: silentLogger, unreadMax: 3 });
  await eventually(() => expect(other.keep('efi', notification('five'), 'hint')).rejects.toMatchObject(refused));
  await other.keep('woovi', notification('another'), 'ours');
  await stored.database.query(`delete from outbox where subject like 'provider.efi.%'`);
  await eventually(() => store.keep('efi', notification('four'), 'hint'));
});

test('no more notifications are kept while those that wait are counted', async () => {
  await using store = new NotificationStore({ database: stored.database, logger: silentLogger, unreadMax: 3 });
  await fill(store);
  await stored.database.transaction(async (tx) => {
    await tx.sql('lock table outbox in access exclusive mode');
    await eventually(async () => {
      const waiting = await stored.database.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%count(*)%from outbox%'`,
      );
      expect(waiting).toHaveLength(1);
    });
    const refused = { message: 'too many notifications wait to be read' };
    await expect(store.keep('efi', notification('four'), 'hint')).rejects.toMatchObject(refused);
  });
});

test('nothing is kept twice over, and nothing is answered that is not kept', async () => {
  await using store = new NotificationStore({ database: stored.database, logger: silentLogger });
  await store.keep('efi', notification('one'), 'hint');
  const rows = await stored.database.query(
    `select notification.id = outbox.id as same, grade, convert_from(raw_body, 'UTF8') as body,
       encode(digest, 'hex') = encode(sha256(raw_body), 'hex') as digested, payload like '%"verified":"hint"%' as verified
     from notification full join outbox using (id)`,
  );
  expect(rows).toEqual([{ same: true, grade: 'hint', body: 'one', digested: true, verified: true }]);
  await stored.database.query('alter table notification rename to elsewhere');
  await expect(store.keep('efi', notification('two'), 'hint')).rejects.toThrow();
  expect(await stored.database.query('select from outbox')).toHaveLength(1);
  await stored.database.query('alter table elsewhere rename to notification');
});

test('after 120 days the digest of a notification is left of it', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  await using filling = new NotificationStore({ database: stored.database, logger: silentLogger });
  await filling.keep('efi', notification('old', daysAgo(121)), 'hint');
  await filling.keep('efi', notification('young', daysAgo(119)), 'hint');
  await using store = new NotificationStore({ database: stored.database, logger: silentLogger });
  void store;
  await eventually(async () => {
    const rows = await stored.database.query(
      `select raw_body is null as gone, headers is null as bare, length(digest) as digest from notification order by received_at`,
    );
    expect(rows).toEqual([
      { gone: true, bare: true, digest: 32 },
      { gone: false, bare: false, digest: 32 },
    ]);
  });
});
