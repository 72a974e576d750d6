import { asked } from '#src/certainty.ts';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { eventOfReturn, isMedReturn } from '#src/bacen/received-pix.ts';
import { pixSchema, type Pix } from '#src/bacen/wire.ts';
import type { DisputeFact, DisputeLookup, DisputeState } from '#src/disputes.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { NotFound, Unavailable } from '#src/outcomes.ts';
import type { CallOptions } from '#src/outcomes.ts';

/**
 * `GET /pix/{e2eid}`: the standard has no disputes. It reports that money was taken back under MED, as a return of the
 * payment that the gateway did not ask for: a dispute that is lost.
 */
export async function getDisputes(
  connection: BacenConnection,
  { e2eId }: DisputeLookup,
  options?: CallOptions,
): Promise<DisputeState> {
  const found = await findPix(connection, e2eId, options);
  if (found.status !== 'FOUND') return found;
  const disputes = disputesOfPix(connection.config.id, found.value, found.value);
  return disputes.length === 0 ? { status: 'NOT_FOUND' } : { status: 'FOUND', disputes: disputes.map(asked) };
}

export async function findPix(
  connection: BacenConnection,
  e2eId: string,
  options: CallOptions | undefined,
): Promise<{ readonly status: 'FOUND'; readonly value: Pix } | NotFound | Unavailable> {
  const path = `/pix/${encodeURIComponent(e2eId)}`;
  const found = lookedUp(await connection.pixApi({ method: 'GET', path, schema: pixSchema }, options));
  if (found.status === 'FOUND' && found.value.endToEndId !== e2eId) {
    return { status: 'UNAVAILABLE', cause: 'the provider answered with another payment' };
  }
  return found;
}

/** Each return under MED that was carried out. */
export function disputesOfPix(providerId: string, pix: Pix, raw: unknown): DisputeFact[] {
  return (pix.devolucoes ?? []).filter(isMedReturn).flatMap((devolucao) => {
    const event = eventOfReturn(providerId, { pix, devolucao, raw });
    return event?.type === 'dispute.lost' ? [event] : [];
  });
}
