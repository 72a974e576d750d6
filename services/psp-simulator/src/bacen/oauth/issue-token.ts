import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { equalDigests } from '@gateway/runtime';
import type { BacenBank } from '#src/bacen/bank.ts';
import { AccessToken, accessTokenLifetimeSec, tokenDigest } from '#src/bacen/oauth/access-token.ts';
import { allScopes } from '#src/bacen/oauth/scopes.ts';

const tokenBytes = 32;

const tokenRequestSchema = z.object({ grant_type: z.string(), scope: z.string().optional() });

/** Answers of the token endpoint (RFC 6749, 5.1 and 5.2; Efí sends the same). */
export type TokenAnswer =
  | { readonly status: 200; readonly body: TokenGrant }
  | { readonly status: 400 | 401; readonly body: { readonly error: string; readonly error_description: string } };

export interface TokenGrant {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly scope: string;
}

/** Client credentials (RFC 6749, 4.4), the client known by HTTP Basic. */
export async function issueToken(
  { database, client, now }: BacenBank,
  authorization: string | undefined,
  request: unknown,
): Promise<TokenAnswer> {
  if (!matches(credentialsOf(authorization), `${client.id}:${client.secret}`)) {
    return { status: 401, body: { error: 'invalid_client', error_description: 'Invalid or inactive credentials' } };
  }
  const parsed = tokenRequestSchema.safeParse(request);
  if (!parsed.success) return refused('invalid_request', 'grant_type is missing');
  if (parsed.data.grant_type !== 'client_credentials') {
    return refused('unsupported_grant_type', 'grant_type must be client_credentials');
  }
  const scope = grantedScope(parsed.data.scope);
  if (scope === null) return refused('invalid_scope', 'no such scope');
  const token = randomBytes(tokenBytes).toString('base64url');
  const issuedAt = now();
  await database.transaction(async (tx) => {
    await tx.em.nativeDelete(AccessToken, { expiresAt: { $lte: issuedAt } });
    const expiresAt = new Date(issuedAt.getTime() + accessTokenLifetimeSec * 1_000);
    tx.em.create(AccessToken, { digest: tokenDigest(token), clientId: client.id, expiresAt, scope });
  });
  const grant = { access_token: token, token_type: 'Bearer', expires_in: accessTokenLifetimeSec, scope } as const;
  return { status: 200, body: grant };
}

/** All of them where none is asked for (RFC 6749, 3.3); null where one is asked for that there is not. */
function grantedScope(asked: string | undefined): string | null {
  const scopes = asked?.split(' ').filter(Boolean) ?? allScopes;
  return scopes.every((scope) => allScopes.includes(scope)) ? scopes.join(' ') : null;
}

function refused(error: string, description: string): TokenAnswer {
  return { status: 400, body: { error, error_description: description } };
}

function credentialsOf(authorization: string | undefined): string {
  const [, encoded = ''] = /^basic +(\S+)$/i.exec(authorization ?? '') ?? [];
  return Buffer.from(encoded, 'base64').toString();
}

function matches(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return equalDigests(digest(given), digest(expected));
}
