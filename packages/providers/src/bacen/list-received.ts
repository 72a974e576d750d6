import type { BacenConnection } from '#src/bacen/connection.ts';
import { eventsOfPix } from '#src/bacen/received-pix.ts';
import { pixSchema, receivedPageSchema } from '#src/bacen/wire.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { ListUnavailableError } from '#src/payment-provider.ts';

const itemsPerPage = 100;

/** `GET /pix`: the payments of a period with their returns, page after page. */
export async function* listReceived(
  connection: BacenConnection,
  period: { readonly from: Date; readonly to: Date },
  options?: CallOptions,
): AsyncGenerator<ProviderEvent> {
  const reader = { providerId: connection.config.id, disputesByReturns: connection.dialect.disputesByReturns };
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const query = new URLSearchParams({
      inicio: period.from.toISOString(),
      fim: period.to.toISOString(),
      'paginacao.paginaAtual': String(page),
      'paginacao.itensPorPagina': String(itemsPerPage),
    });
    const path = `/pix?${query.toString()}`;
    const found = lookedUp(await connection.pixApi({ method: 'GET', path, schema: receivedPageSchema }, options));
    if (found.status === 'UNAVAILABLE') throw new ListUnavailableError(found.cause);
    if (found.status === 'NOT_FOUND') throw new ListUnavailableError('the provider answered 404');
    pages = found.value.parametros.paginacao.quantidadeDePaginas;
    for (const item of found.value.pix) {
      const pix = pixSchema.safeParse(item);
      if (!pix.success) throw new ListUnavailableError(`an item is ${shapeOf(item)}`);
      yield* eventsOfPix(reader, pix.data, item);
    }
  }
}
