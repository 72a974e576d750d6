import type { FeedPage, FeedQuery, FeedRow } from '@gateway/contracts/providers';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { eventOfPayment, eventOfReturn } from '#src/bacen/received-pix.ts';
import { pixSchema, receivedPageSchema } from '#src/bacen/wire.ts';
import { idIn, nothing, pageOf, pointerItem, readRow, rowOf, type MissingPage } from '#src/feed-rows.ts';
import { dailyWhileReturnable, listedLate, type Feed } from '#src/feeds.ts';
import type { CallOptions } from '#src/outcomes.ts';

const itemsPerPage = 100;
/** The place of the page behind the last one that may be asked for. */
export const pagesMax = 100_000;

/** `GET /pix`: what arrived on charges, selected by the time of the payment. */
export function paymentsFeed(connection: BacenConnection): Feed {
  const { id } = connection.config;
  return {
    name: 'payments',
    windowBy: 'creation',
    rereadAfterHours: listedLate,
    readPage: (query, options) => readReceived(connection, { query, rowsOf: (item) => [paymentRow(item)] }, options),
    read: (row) =>
      readRow(row, pixSchema, (pix) => {
        const event = eventOfPayment(id, pix, row.raw);
        return event.type === 'charge.paid' ? pointerItem([event]) : nothing;
      }),
  };
}

/**
 * `GET /pix?devolucaoPresente=true`: payments that went back, selected by the time of the payment, which may be three months
 * ago. What was taken back under MED is a reason to ask for the payment's disputes, a refund of ours to ask for it by its id.
 */
export function returnsFeed(connection: BacenConnection): Feed {
  const { id } = connection.config;
  return {
    name: 'returns',
    windowBy: 'creation',
    rereadAfterHours: dailyWhileReturnable,
    readPage: (query, options) =>
      readReceived(connection, { query, rowsOf: returnRows, filter: { devolucaoPresente: 'true' } }, options),
    read: (row) =>
      readRow(row, pixSchema, (pix) => {
        const [devolucao] = pix.devolucoes ?? [];
        const event = devolucao && eventOfReturn(id, { pix, devolucao, raw: row.raw });
        return event ? pointerItem([event]) : nothing;
      }),
  };
}

interface Reading {
  readonly query: FeedQuery;
  readonly rowsOf: (item: unknown) => readonly FeedRow[];
  readonly filter?: Readonly<Record<string, string>>;
}

export async function readReceived(
  connection: BacenConnection,
  { query, rowsOf, filter }: Reading,
  options: CallOptions | undefined,
): Promise<FeedPage> {
  const { page, search } = searchOf(query, filter);
  const path = `/pix?${search}`;
  const answer = pageOf(await connection.pixApi({ method: 'GET', path, schema: receivedPageSchema }, options));
  if (answer.kind !== 'page') return behind(answer, nextPage(page, pagesMax));
  const { parametros, pix } = answer.value;
  return { kind: 'page', rows: pix.flatMap(rowsOf), next: nextPage(page, parametros.paginacao.quantidadeDePaginas) };
}

/** Period and paging as every list of the Pix API has them. `fim` is closed: what falls on it is listed twice, which is harmless. */
export function searchOf(
  { from, to, place, pageItems }: FeedQuery,
  filter: Readonly<Record<string, string>> = {},
): { readonly page: number; readonly search: string } {
  const page = /^\d{1,5}$/.test(place ?? '') ? Number(place) : 0;
  const search = new URLSearchParams({
    inicio: from.toISOString(),
    fim: to.toISOString(),
    ...filter,
    'paginacao.paginaAtual': String(page),
    'paginacao.itensPorPagina': String(pageItems ?? itemsPerPage),
  });
  return { page, search: search.toString() };
}

/** Where a list goes on whose page could not be parsed. */
export function behind(missing: MissingPage, next: string | null): MissingPage {
  return missing.kind === 'unreadable' ? { ...missing, next } : missing;
}

export function nextPage(page: number, pages: number): string | null {
  return page + 1 < Math.min(pages, pagesMax) ? String(page + 1) : null;
}

export function paymentRow(item: unknown): FeedRow {
  return rowOf(['pix', idIn(item, 'endToEndId')], item);
}

/** One row for each return, with its payment: the state is a part of its key. */
export function returnRows(item: unknown): FeedRow[] {
  const parsed = pixSchema.safeParse(item);
  if (!parsed.success) return [rowOf(['devolucao', undefined], item)];
  const { endToEndId: e2eId, devolucoes = [] } = parsed.data;
  const payment = item as Readonly<Record<string, unknown>>;
  const reported = payment['devolucoes'];
  const raws: readonly unknown[] = Array.isArray(reported) ? reported : [reported];
  return devolucoes.map(({ id, status }, at) =>
    rowOf(['devolucao', e2eId, id, status], { ...payment, devolucoes: [raws[at]] }),
  );
}
