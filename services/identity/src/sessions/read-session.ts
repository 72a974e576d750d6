import type { listSessions as listContract, Realm, Session } from '@gateway/contracts/identity';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import type { Queries } from '@gateway/persistence';
import type { Config } from '#src/config.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { SessionEndedError } from '#src/errors.ts';
import { inForce, sessionColumns, toSession, type SessionRow } from '#src/sessions/session-row.ts';

/** @throws SessionEndedError when the session is not in force */
export async function readSession(
  queries: Queries,
  { realm, sessionId, at }: { readonly realm: Realm; readonly sessionId: string; readonly at: Date },
  config: Pick<Config, 'PASSKEYS_FOR_MONEY'>,
): Promise<Session> {
  const [row] = await queries.query<SessionRow>(
    `select ${sessionColumns} from session s join person p on p.realm = s.realm and p.id = s.person_id
     where s.realm = $1 and s.id = $3 and ${inForce}`,
    [realm, at, sessionId],
  );
  if (!row) throw new SessionEndedError();
  return toSession(row, config);
}

/** Those in force, the latest first. */
export async function listSessions(
  { database, config, now }: Dependencies,
  { realm, personId }: PayloadOf<{ payload: typeof listContract.request }>,
): Promise<ReplyOf<typeof listContract>> {
  const rows = await database.query<SessionRow>(
    `select ${sessionColumns} from session s join person p on p.realm = s.realm and p.id = s.person_id
     where s.realm = $1 and s.person_id = $3 and ${inForce} order by s.id desc`,
    [realm, now(), personId],
  );
  return { sessions: rows.map((row) => toSession(row, config)) };
}
