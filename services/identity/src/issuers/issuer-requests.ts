import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { z } from 'zod';
import type { Realm } from '@gateway/contracts/identity';
import type { Database } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { later } from '#src/times.ts';
import { digestOf, fromHex, newToken } from '#src/tokens.ts';

/** For so long a person may be at the issuer; the cookie that ties its answer to the browser lasts as long. */
const requestLifeSec = 600;

const secretsSchema = z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() });

/** What an issuer is asked with. Its answer has to fit all three. */
export type IssuerRequest = z.infer<typeof secretsSchema>;

interface TakenRequest {
  readonly request: IssuerRequest;
  /** The invitation whose person is to be bound to a subject; null for a sign-in. */
  readonly invitationId: string | null;
}

type Stores = Pick<Dependencies, 'database' | 'box' | 'now'>;

export function newIssuerRequest(): IssuerRequest {
  return { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
}

/** Keeps what was asked, sealed for this one row. The token it answers is the browser's. */
export async function keepIssuerRequest(
  { database, box, now }: Stores,
  { realm, invitationId }: { readonly realm: Realm; readonly invitationId: string | null },
  request: IssuerRequest,
): Promise<string> {
  const token = newToken();
  const digest = digestOf(token);
  await database.query(
    'insert into issuer_request (realm, token_digest, invitation_id, sealed, ends_at) values ($1, $2, $3, $4, $5)',
    [
      ...[realm, digest, invitationId, box.seal(JSON.stringify(request), digest.toString('hex'))],
      later(now(), requestLifeSec),
    ],
  );
  return token;
}

/** Takes it away with whatever answer comes: right or wrong, there is one. Null when it is unknown, was answered or is too old. */
export async function takeIssuerRequest(
  { database, box, now }: Stores,
  realm: Realm,
  tokenDigest: string,
): Promise<TakenRequest | null> {
  const [row] = await database.query<{
    readonly invitation_id: string | null;
    readonly sealed: string;
    readonly ends_at: Date;
  }>('delete from issuer_request where realm = $1 and token_digest = $2 returning invitation_id, sealed, ends_at', [
    realm,
    fromHex(tokenDigest),
  ]);
  if (!row || row.ends_at <= now()) return null;
  const request = secretsSchema.parse(JSON.parse(box.open(row.sealed, tokenDigest)));
  return { request, invitationId: row.invitation_id };
}

export async function forgetIssuerRequests(database: Database, now: Date): Promise<void> {
  await database.query('delete from issuer_request where ends_at < $1', [now]);
}
