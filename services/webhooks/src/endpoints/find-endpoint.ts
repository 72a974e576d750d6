import type { EntityManager } from '@mikro-orm/core';
import { NotFoundError } from '@gateway/contracts';
import { Endpoint, type Owner } from '#src/endpoints/endpoint.ts';

/** @throws NotFoundError also for the endpoints of others */
export async function findEndpoint(
  em: EntityManager,
  { environment, accountId, id }: Owner & { readonly id: string },
): Promise<Endpoint> {
  const endpoint = await em.findOne(Endpoint, { environment, accountId, id, kind: 'registered' });
  if (!endpoint) throw new NotFoundError('webhook');
  return endpoint;
}
