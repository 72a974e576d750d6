import {
  sessionsRevokedSignal,
  type endSession as endContract,
  type endSessions as endAllContract,
  type Realm,
} from '@gateway/contracts/identity';
import { NotFoundError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import type { Tx } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { recordDone } from '#src/history/record.ts';

interface Ending {
  readonly realm: Realm;
  readonly personId: string;
  /** One that goes on. */
  readonly except?: string | undefined;
  readonly at: Date;
}

/** Ends what is open of a person's sessions, and has the gateways drop them once that is committed. */
export async function endSessionsOf(
  tx: Tx,
  { signal }: Pick<Dependencies, 'signal'>,
  { realm, personId, except, at }: Ending,
): Promise<number> {
  const ended = await tx.sql<{ readonly id: string }>(
    `update session set ended_at = $3 where realm = $1 and person_id = $2 and ended_at is null
       and ($4::text is null or id <> $4) returning id`,
    [realm, personId, at, except ?? null],
  );
  const ids = ended.map(({ id }) => id);
  if (ids.length > 0) tx.afterCommit(() => signal(sessionsRevokedSignal, { realm, ids }));
  return ids.length;
}

export async function endSession(
  dependencies: Dependencies,
  { realm, personId, sessionId, by }: PayloadOf<{ payload: typeof endContract.request }>,
): Promise<ReplyOf<typeof endContract>> {
  const at = dependencies.now();
  return await dependencies.database.transaction(async (tx) => {
    const [session] = await tx.sql<{ readonly ended_at: Date | null }>(
      'select ended_at from session where realm = $1 and id = $2 and person_id = $3 for update',
      [realm, sessionId, personId],
    );
    if (!session) throw new NotFoundError('session');
    if (session.ended_at) return {};
    await tx.sql('update session set ended_at = $3 where realm = $1 and id = $2', [realm, sessionId, at]);
    await recordDone(tx, { realm, personId, what: 'session.ended', detail: sessionId, by }, at);
    tx.afterCommit(() => dependencies.signal(sessionsRevokedSignal, { realm, ids: [sessionId] }));
    return {};
  });
}

export async function endSessions(
  dependencies: Dependencies,
  { realm, personId, except, by }: PayloadOf<{ payload: typeof endAllContract.request }>,
): Promise<ReplyOf<typeof endAllContract>> {
  const at = dependencies.now();
  return await dependencies.database.transaction(async (tx) => {
    const ended = await endSessionsOf(tx, dependencies, { realm, personId, except, at });
    if (ended > 0) await recordDone(tx, { realm, personId, what: 'sessions.ended', detail: String(ended), by }, at);
    return { ended };
  });
}
