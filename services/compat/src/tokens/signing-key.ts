import { defineEntity, p } from '@mikro-orm/core';

/** A key that signs access tokens, or did until it was retired. The secret is sealed under SECRETS_KEY. */
export const SigningKey = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_key',
  properties: {
    id: p.string().primary(),
    sealed: p.string(),
    createdAt: p.datetime(),
    retiredAt: p.datetime().nullable(),
  },
});
