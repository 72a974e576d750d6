import { randomUUID } from 'node:crypto';
import type { Tx } from '@gateway/persistence';
import type { DialectName } from '#src/account/charge.ts';
import type { Bank } from '#src/bank/bank.ts';

export interface NotificationTarget {
  readonly id: string;
  readonly topic: string;
  readonly name: string;
  readonly url: string;
  readonly active: boolean;
  /** What its notifications are signed with, where each registration has a secret. */
  readonly secret: string | null;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

export interface TargetRegistration {
  readonly dialect: DialectName;
  readonly topic: string;
  readonly name: string;
  readonly url: string;
  readonly active: boolean;
  /** What its notifications are signed with, where each registration has a secret. */
  readonly secret?: string;
}

const columns = 'id, topic, name, url, active, secret, created_at as "createdAt", changed_at as "changedAt"';

export async function addTarget(
  { database, now }: Bank,
  registration: TargetRegistration,
): Promise<NotificationTarget> {
  const { dialect, topic, name, url, active, secret = null } = registration;
  const [target] = await database.query<NotificationTarget>(
    `insert into notification_target (id, dialect, topic, name, url, active, created_at, changed_at, secret)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8) returning ${columns}`,
    [randomUUID(), dialect, topic, name, url, active, now(), secret],
  );
  if (!target) throw new Error('the registration is not there after its insertion');
  return target;
}

/** One address per topic: the new one takes the place of the old. */
export async function replaceTarget(bank: Bank, registration: TargetRegistration): Promise<void> {
  await bank.database.transaction(async (tx) => {
    const { dialect, topic, name, url, active } = registration;
    await tx.sql('select pg_advisory_xact_lock(hashtext($1))', [`target:${dialect}:${topic}`]);
    await tx.sql('delete from notification_target where dialect = $1 and topic = $2', [dialect, topic]);
    await tx.sql(
      `insert into notification_target (id, dialect, topic, name, url, active, created_at, changed_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [randomUUID(), dialect, topic, name, url, active, bank.now()],
    );
  });
}

export async function targetsOf(
  source: Pick<Tx, 'sql'>,
  dialect: DialectName,
  topic?: string,
): Promise<NotificationTarget[]> {
  return await source.sql<NotificationTarget>(
    `select ${columns} from notification_target
      where dialect = $1 and ($2::text is null or topic = $2) order by created_at, id`,
    [dialect, topic ?? null],
  );
}

/** Where notifications of a topic are sent, and whether a rule may strike them. */
export async function activeTargetsOf(
  tx: Tx,
  dialect: DialectName,
  topic: string,
): Promise<(Pick<NotificationTarget, 'url' | 'secret'> & { readonly isRuled: boolean })[]> {
  return await tx.sql(
    `select url, secret, exists (select from fault_rule where operation = 'notification') as "isRuled"
       from notification_target where dialect = $1 and topic = $2 and active order by created_at, id`,
    [dialect, topic],
  );
}

export async function removeTargets(
  { database }: Bank,
  dialect: DialectName,
  where: { readonly topic: string } | { readonly id: string },
): Promise<boolean> {
  const [column, value] = 'topic' in where ? ['topic', where.topic] : ['id', where.id];
  const removed = await database.query(
    `delete from notification_target where dialect = $1 and ${column} = $2 returning id`,
    [dialect, value],
  );
  return removed.length > 0;
}
