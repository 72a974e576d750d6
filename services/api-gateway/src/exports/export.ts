import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { CamtVersion, Export } from '@gateway/contracts/exports';
import type { ApiVersion } from '@gateway/contracts/values';
import type { Database, EventTable } from '@gateway/persistence';
import { ZoneClock } from '@gateway/public-api';
import type { Progress } from '#src/exports/progress.ts';
import type { Owner } from '#src/statements/entry-details.ts';

/** What merchants are informed of, by what the row of an export says has happened. */
export const exportEvents: EventTable = {
  table: 'export',
  events: [{ event: 'export.completed', when: `status = 'COMPLETED'`, at: 'coalesce(completed_at, created_at)' }],
};

/** A file that a merchant asked for, and how far it is written. */
export const ExportEntity = defineEntity({
  name: 'Export',
  tableName: 'export',
  properties: {
    id: p.string().primary(),
    environment: p.string().$type<Export['environment']>(),
    accountId: p.string(),
    externalId: p.string(),
    kind: p.string().$type<Export['kind']>(),
    format: p.string().$type<Export['format']>(),
    currency: p.string().$type<Export['currency']>(),
    fromDate: p.string(),
    toDate: p.string(),
    zone: p.string(),
    raw: p.boolean(),
    /** Null where the newest that is written by default is asked for, and in every other format. */
    camtVersion: p.string().$type<CamtVersion>().nullable(),
    apiVersion: p.string().$type<ApiVersion>(),
    status: p.string().$type<Export['status']>(),
    failure: p.string().$type<NonNullable<Export['failure']>>().nullable(),
    rows: p.bigint('number').nullable(),
    opening: p.bigint('number').nullable(),
    closing: p.bigint('number').nullable(),
    sha256: p.string().nullable(),
    checkpoint: p.string().nullable(),
    /** Null until the first part is begun. */
    progress: p.json().$type<Progress>().nullable(),
    /** Counts who has written at it: a process whose lease has ended has an earlier number. */
    claims: p.integer(),
    /** Attempts in a row that an error of our own has ended. */
    failures: p.integer(),
    /** How often it was begun anew, because its movements did not lead from one balance to the other. */
    restarts: p.integer(),
    /** When the next part is to be written; null at the end. */
    dueAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    completedAt: p.datetime().nullable(),
    /** Until when the file is kept. */
    expiresAt: p.datetime().nullable(),
  },
});
export type ExportEntity = InferEntity<typeof ExportEntity>;

export function toExport(row: ExportEntity): Export {
  return {
    id: row.id,
    environment: row.environment,
    accountId: row.accountId,
    externalId: row.externalId,
    kind: row.kind,
    format: row.format,
    currency: row.currency,
    fromDate: row.fromDate,
    toDate: row.toDate,
    zone: row.zone,
    status: row.status,
    failure: row.failure ?? null,
    rows: row.rows ?? null,
    opening: row.opening ?? null,
    closing: row.closing ?? null,
    sha256: row.sha256 ?? null,
    checkpoint: row.checkpoint ?? null,
    createdAt: secondOf(row.createdAt),
    completedAt: row.completedAt ? secondOf(row.completedAt) : null,
    expiresAt: row.expiresAt ? secondOf(row.expiresAt) : null,
  };
}

function secondOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}

/** From the first moment of the first day to the first moment after the last one, in milliseconds. */
export function periodOf({ fromDate, toDate, zone }: Pick<Export, 'fromDate' | 'toDate' | 'zone'>) {
  const clock = new ZoneClock(zone);
  return { fromMs: clock.beginOf(fromDate), toMs: clock.endOf(toDate), zone };
}

export interface ExportFilter extends Owner {
  readonly status?: Export['status'] | undefined;
  readonly kind?: Export['kind'] | undefined;
  readonly externalId?: string | undefined;
}

interface ExportPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of an account's exports, newest first. */
export async function listExports(
  database: Database,
  { environment, accountId, status, kind, externalId }: ExportFilter,
  { limit, cursor }: ExportPage,
): Promise<{ readonly exports: Export[]; readonly nextCursor: string | null }> {
  const where = {
    environment,
    accountId,
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(cursor === undefined ? {} : { id: { $lt: cursor } }),
  };
  const options = { orderBy: { id: 'desc' }, limit: limit + 1 } as const;
  const found = await database.reader().find(ExportEntity, where, options);
  const exports = found.slice(0, limit).map(toExport);
  return { exports, nextCursor: found.length > limit ? (exports.at(-1)?.id ?? null) : null };
}

/** Undefined where the account has no such export in the environment. */
export async function findExport(database: Database, owner: Owner, id: string): Promise<Export | undefined> {
  const { environment, accountId } = owner;
  const found = await database.reader().findOne(ExportEntity, { environment, accountId, id });
  return found ? toExport(found) : undefined;
}
