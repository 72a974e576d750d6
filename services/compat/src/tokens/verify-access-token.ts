import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { DomainError } from '@gateway/contracts/errors';
import { accessTokenAlgorithm, accessTokenIssuer } from '#src/tokens/access-token.ts';
import type { SigningKeys } from '#src/tokens/signing-keys.ts';

/**
 * The public key a token stands for.
 *
 * @throws DomainError AUTH_INVALID when it is not a token of ours or has expired; one answer for all of it
 */
export async function verifyAccessToken(keys: SigningKeys, token: string, now: Date): Promise<string> {
  const key = await keys.find(keyIdOf(token), now);
  if (!key) throw notInForce();
  try {
    const { payload } = await jwtVerify(token, key.secret, {
      algorithms: [accessTokenAlgorithm],
      issuer: accessTokenIssuer,
      requiredClaims: ['sub', 'exp'],
      currentDate: now,
    });
    return payload.sub ?? '';
  } catch (error) {
    throw error instanceof errors.JOSEError ? notInForce() : error;
  }
}

function keyIdOf(token: string): string {
  try {
    const { kid } = decodeProtectedHeader(token);
    if (kid !== undefined && /^[0-9a-f-]{36}$/.test(kid)) return kid;
  } catch {
    // Not a JWT at all.
  }
  throw notInForce();
}

function notInForce(): DomainError {
  return new DomainError('AUTH_INVALID', 'the token is not valid or has expired');
}
