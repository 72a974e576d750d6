import { createHash } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

/** Life of a token, as Efí grants it. */
export const accessTokenLifetimeSec = 3_600;

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

export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
