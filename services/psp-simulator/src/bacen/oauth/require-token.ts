import type { BacenBank } from '#src/bacen/bank.ts';
import { AccessToken, tokenDigest } from '#src/bacen/oauth/access-token.ts';
import { scopeOf } from '#src/bacen/oauth/scopes.ts';
import { Problem } from '#src/bacen/problem.ts';

export interface ProtectedCall {
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
export async function requireToken({ database, now }: BacenBank, call: ProtectedCall): Promise<void> {
  const [, token] = /^bearer +(\S+)$/i.exec(call.authorization ?? '') ?? [];
  if (token === undefined) throw new Problem('AcessoNegado');
  const found = await database.reader().findOne(AccessToken, { digest: tokenDigest(token), expiresAt: { $gt: now() } });
  if (!found) throw new Problem('AcessoNegado', [], unauthorized);
  const scope = scopeOf(call.method, call.url);
  if (scope !== undefined && !found.scope.split(' ').includes(scope)) throw new Problem('AcessoNegado');
}
