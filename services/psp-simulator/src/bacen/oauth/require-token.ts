import type { BacenBank } from '#src/bacen/bank.ts';
import { AccessToken, tokenDigest } from '#src/bacen/oauth/access-token.ts';
import { Problem } from '#src/bacen/problem.ts';

const unauthorized = 401;

/** @throws Problem 401 without a token that is in force (RFC 6750, 3.1) */
export async function requireToken({ database, now }: BacenBank, authorization: string | undefined): Promise<void> {
  const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) throw new Problem('AcessoNegado', [], unauthorized);
  const found = await database.reader().findOne(AccessToken, { digest: tokenDigest(token), expiresAt: { $gt: now() } });
  if (!found) throw new Problem('AcessoNegado', [], unauthorized);
}
