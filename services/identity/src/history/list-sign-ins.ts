import type { listSignIns as contract, Realm, SignIn } from '@gateway/contracts/identity';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { unixSeconds } from '@gateway/contracts/values';
import { pageOf } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';

interface SignInRow {
  readonly realm: Realm;
  readonly id: string;
  readonly person_id: string | null;
  readonly name: string | null;
  readonly what: string;
  readonly outcome: 'done' | 'refused';
  readonly detail: string;
  readonly by_id: string | null;
  readonly address: string;
  readonly user_agent: string;
  readonly at: Date;
}

/** The latest first; ids are in the order of time. */
export async function listSignIns(
  { database }: Pick<Dependencies, 'database'>,
  { realm, personId, outcome, cursor, limit }: PayloadOf<{ payload: typeof contract.request }>,
): Promise<ReplyOf<typeof contract>> {
  const rows = await database.query<SignInRow>(
    `select * from sign_in
     where realm = $1 and ($2::text is null or person_id = $2) and ($3::text is null or outcome = $3)
       and ($4::text is null or id < $4)
     order by id desc limit $5`,
    [realm, personId ?? null, outcome ?? null, cursor ?? null, limit + 1],
  );
  const page = pageOf(rows, limit);
  return { signIns: page.rows.map(toSignIn), nextCursor: page.nextCursor };
}

function toSignIn({ person_id, by_id, user_agent, at, ...row }: SignInRow): SignIn {
  return { ...row, personId: person_id, by: by_id, userAgent: user_agent, at: unixSeconds(at) };
}
