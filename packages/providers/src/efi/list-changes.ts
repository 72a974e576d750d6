import type { z } from 'zod';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { listReceived } from '#src/bacen/list-received.ts';
import { eventOfInfraction } from '#src/efi/disputes.ts';
import { eventsOfPayout, newsOfSent } from '#src/efi/payout-events.ts';
import { infractionPageSchema, infractionSchema, sentPageSchema, sentSchema } from '#src/efi/wire.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { ListUnavailableError } from '#src/payment-provider.ts';

const itemsPerPage = 100;

interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** Payments received, payouts sent and infractions of a period. */
export async function* listChanges(
  connection: BacenConnection,
  period: Period,
  options?: CallOptions,
): AsyncGenerator<ProviderEvent> {
  const { id } = connection.config;
  yield* listReceived(connection, period, options);
  const sent = pages(connection, { path: '/v2/gn/pix/enviados', period, schema: sentPageSchema }, options);
  for await (const { pix } of sent) {
    for (const item of pix) yield* eventsOfPayout(id, newsOfSent(itemOf(sentSchema, item)), item);
  }
  const infractions = pages(connection, { path: '/v2/gn/infracoes', period, schema: infractionPageSchema }, options);
  for await (const { infracoes } of infractions) {
    for (const item of infracoes) yield eventOfInfraction(id, itemOf(infractionSchema, item), item);
  }
}

async function* pages<Page extends { parametros: { paginacao: { quantidadeDePaginas: number } } }>(
  connection: BacenConnection,
  { path, period, schema }: { readonly path: string; readonly period: Period; readonly schema: z.ZodType<Page> },
  options: CallOptions | undefined,
): AsyncGenerator<Page> {
  for (let page = 0, count = 1; page < count; page += 1) {
    const query = new URLSearchParams({
      inicio: period.from.toISOString(),
      fim: period.to.toISOString(),
      'paginacao.paginaAtual': String(page),
      'paginacao.itensPorPagina': String(itemsPerPage),
    });
    const found = lookedUp(
      await connection.call({ method: 'GET', path: `${path}?${query.toString()}`, schema }, options),
    );
    if (found.status === 'UNAVAILABLE') throw new ListUnavailableError(found.cause);
    if (found.status === 'NOT_FOUND') throw new ListUnavailableError('the provider answered 404');
    count = found.value.parametros.paginacao.quantidadeDePaginas;
    yield found.value;
  }
}

function itemOf<T>(schema: z.ZodType<T>, item: unknown): T {
  const parsed = schema.safeParse(item);
  if (!parsed.success) throw new ListUnavailableError(`an item is ${shapeOf(item)}`);
  return parsed.data;
}
