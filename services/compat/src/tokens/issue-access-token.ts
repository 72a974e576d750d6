import { SignJWT } from 'jose';
import { unixSeconds } from '@gateway/contracts/values';
import { accessTokenAlgorithm, accessTokenIssuer, accessTokenLifetimeSec } from '#src/tokens/access-token.ts';
import type { SigningKeys } from '#src/tokens/signing-keys.ts';

/** A token that stands for the key pair until `exp`. Clients read `exp` from it, so it is a JWT (RFC 7519). */
export async function issueAccessToken(keys: SigningKeys, publicKey: string, now: Date): Promise<string> {
  const key = await keys.current();
  const issuedAt = unixSeconds(now);
  return await new SignJWT()
    .setProtectedHeader({ alg: accessTokenAlgorithm, typ: 'JWT', kid: key.id })
    .setIssuer(accessTokenIssuer)
    .setSubject(publicKey)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenLifetimeSec)
    .sign(key.secret);
}
