import { createHash, randomBytes } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { z } from 'zod';
import { equalDigests } from '@gateway/runtime';
import type { BacenBank } from '#src/bacen/bank.ts';
import { Problem } from '#src/bacen/problem.ts';

/** What a token of this simulator may do: the scopes of the Pix API 2.9.0 that it serves, and Efí's own. */
export const allScopes: readonly string[] = [
  'cob.read',
  'cob.write',
  'pix.read',
  'pix.write',
  'webhook.read',
  'webhook.write',
  'pix.send',
  'gn.pix.send.read',
  'gn.balance.read',
  'gn.infractions.read',
  'gn.infractions.write',
  'gn.reports.read',
  'gn.reports.write',
];

/** What each operation asks for, by method and the beginning of its path. */
const needed: readonly (readonly [method: string, path: RegExp, scope: string])[] = [
  ['GET', /^\/v2\/gn\/pix\/enviados/, 'gn.pix.send.read'],
  ['GET', /^\/v2\/gn\/saldo/, 'gn.balance.read'],
  ['GET', /^\/v2\/gn\/infracoes/, 'gn.infractions.read'],
  ['POST', /^\/v2\/gn\/infracoes/, 'gn.infractions.write'],
  ['GET', /^\/v2\/gn\/relatorios/, 'gn.reports.read'],
  ['POST', /^\/v2\/gn\/relatorios/, 'gn.reports.write'],
  ['PUT', /^\/v3\/gn\/pix\//, 'pix.send'],
  ['GET', /^\/v2\/cob/, 'cob.read'],
  ['*', /^\/v2\/cob/, 'cob.write'],
  ['GET', /^\/v2\/pix/, 'pix.read'],
  ['*', /^\/v2\/pix/, 'pix.write'],
  ['GET', /^\/v2\/webhook/, 'webhook.read'],
  ['*', /^\/v2\/webhook/, 'webhook.write'],
];

/** The scope an operation needs; undefined for what is not served. */
function scopeOf(method: string, url: string): string | undefined {
  return needed.find(([verb, path]) => (verb === '*' || verb === method) && path.test(url))?.[2];
}

/** Life of a token, as Efí grants it. */
const accessTokenLifetimeSec = 3_600;

/** A token in force; only its digest is kept. It survives a restart, as a provider's does. */
export const AccessToken = defineEntity({
  name: 'AccessToken',
  tableName: 'access_token',
  properties: {
    digest: p.string().primary(),
    clientId: p.string(),
    expiresAt: p.datetime(),
    /** Separated by blanks. */
    scope: p.string(),
  },
});

function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const tokenBytes = 32;

const tokenRequestSchema = z.object({ grant_type: z.string(), scope: z.string().optional() });

/** Answers of the token endpoint (RFC 6749, 5.1 and 5.2; Efí sends the same). */
type TokenAnswer =
  | { readonly status: 200; readonly body: TokenGrant }
  | { readonly status: 400 | 401; readonly body: { readonly error: string; readonly error_description: string } };

interface TokenGrant {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly scope: string;
}

/** Client credentials (RFC 6749, 4.4), the client known by HTTP Basic. */
export async function issueToken(
  { database, account: { client }, now }: BacenBank,
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

interface ProtectedCall {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
}

const unauthorized = 401;

/**
 * The description knows 403 alone, also for a call without a token. One that has run out is answered 401 as at Efí, where
 * integrators renew it on that.
 *
 * @throws Problem without a token that is in force and may do this
 */
export async function requireToken({ database, account, now }: BacenBank, call: ProtectedCall): Promise<void> {
  const [, token] = /^bearer +(\S+)$/i.exec(call.authorization ?? '') ?? [];
  if (token === undefined) throw new Problem('AcessoNegado');
  const [found] = await database.query<{ scope: string }>(
    'select scope from access_token where digest = $1 and expires_at > $2',
    [tokenDigest(token), now()],
    'find-token',
  );
  if (!found) throw new Problem('AcessoNegado', [], unauthorized);
  const scope = scopeOf(call.method, call.url.slice(account.path.length));
  if (scope !== undefined && !found.scope.split(' ').includes(scope)) throw new Problem('AcessoNegado');
}
