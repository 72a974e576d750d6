import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '@gateway/contracts';

/** A row of `provider_poll`: how far a provider's list of changes has been read. */
export const PollEntity = defineEntity({
  name: 'Poll',
  tableName: 'provider_poll',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    provider: p.string().primary(),
    readUntil: p.datetime(3),
    dueAt: p.datetime(3),
  },
});
