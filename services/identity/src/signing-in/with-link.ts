import type { signInWithLink as contract } from '@gateway/contracts/identity';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { beginAttempt } from '#src/attempts/begin-attempt.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { SignInRefusedError } from '#src/errors.ts';
import { recordRefused } from '#src/history/record.ts';
import { beginSession } from '#src/sessions/begin-session.ts';
import { fromHex } from '#src/tokens.ts';

export async function signInWithLink(
  dependencies: Dependencies,
  { realm, tokenDigest, client }: PayloadOf<{ payload: typeof contract.request }>,
): Promise<ReplyOf<typeof contract>> {
  const { database, now, config } = dependencies;
  const attempt = await beginAttempt(database, { realm, address: client.address }, now());
  const signedIn = await database.transaction(async (tx) => {
    if (!config.DEV_LOGIN) return null;
    const [link] = await tx.sql<{ readonly person_id: string; readonly ends_at: Date }>(
      `delete from sign_in_link l using person p where l.realm = $1 and l.token_digest = $2
         and p.realm = l.realm and p.id = l.person_id and p.state = 'ACTIVE' returning l.person_id, l.ends_at`,
      [realm, fromHex(tokenDigest)],
    );
    if (!link || link.ends_at <= now()) return null;
    const entry = { realm, personId: link.person_id, factor: 'link', stepUpFrom: now(), client } as const;
    return await beginSession(tx, dependencies, entry);
  });
  if (!signedIn) {
    const entry = { realm, personId: null, what: 'sign_in.link', detail: 'link_not_open', client };
    await recordRefused(database, entry, now());
    throw new SignInRefusedError();
  }
  await attempt.succeeded();
  return signedIn;
}
