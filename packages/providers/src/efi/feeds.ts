import type { FeedPage, FeedQuery, FeedRow } from '@gateway/contracts/providers';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { behind, nextPage, pagesMax, searchOf } from '#src/bacen/feeds.ts';
import { eventOfInfraction, readInfractions } from '#src/efi/disputes.ts';
import { eventOfEnd, eventsOfReturns, newsOfSent, type PayoutNews } from '#src/efi/payout-events.ts';
import { infractionSchema, sentPageSchema, sentSchema } from '#src/efi/wire.ts';
import { idIn, nothing, pageOf, pointerItem, readRow, rowOf } from '#src/feed-rows.ts';
import { dailyWhileReturnable, seldomWhileReturnable, type Feed } from '#src/feeds.ts';
import type { CallOptions } from '#src/outcomes.ts';

/**
 * `GET /v2/gn/pix/enviados`: payouts, selected by when they were sent. A payout that came back is in the window of the day it
 * was sent, up to three months ago. How it ended and what came back are reasons to ask for it by its id, since only there
 * its amount is compared.
 */
export function payoutsFeed(connection: BacenConnection): Feed {
  const { id } = connection.config;
  return {
    name: 'payouts',
    windowBy: 'creation',
    rereadAfterHours: seldomWhileReturnable,
    readPage: (query, options) => readSent(connection, query, options),
    read: (row) =>
      readRow(row, sentSchema, (sent) => {
        const news: PayoutNews = newsOfSent(sent);
        if (sent.devolucoes) return pointerItem(eventsOfReturns(id, news, row.raw));
        const end = eventOfEnd(id, news, row.raw);
        return end.type === 'ignored' ? nothing : pointerItem([end]);
      }),
  };
}

export async function readSent(
  connection: BacenConnection,
  query: FeedQuery,
  options: CallOptions | undefined,
): Promise<FeedPage> {
  const { page, search } = searchOf(query);
  const path = `/v2/gn/pix/enviados?${search}`;
  const answer = pageOf(await connection.call({ method: 'GET', path, schema: sentPageSchema }, options));
  if (answer.kind !== 'page') return behind(answer, nextPage(page, pagesMax));
  const { parametros, pix } = answer.value;
  return {
    kind: 'page',
    rows: pix.flatMap(payoutRows),
    next: nextPage(page, parametros.paginacao.quantidadeDePaginas),
  };
}

/** A row for the payout, and one for each part of it that came back. */
function payoutRows(item: unknown): FeedRow[] {
  const ref = idIn(item, 'idEnvio');
  const parsed = sentSchema.safeParse(item);
  if (!parsed.success) return [rowOf(['envio', ref, undefined], item)];
  const { devolucoes: reported, ...payout } = item as Readonly<Record<string, unknown>>;
  const raws: readonly unknown[] = Array.isArray(reported) ? reported : [reported];
  const returns = (parsed.data.devolucoes ?? []).map(({ id, status }, at) =>
    rowOf(['envio', ref, 'devolucao', id, status], { ...payout, devolucoes: [raws[at]] }),
  );
  return [rowOf(['envio', ref, parsed.data.status], payout), ...returns];
}

/**
 * `GET /v2/gn/infracoes`. Whether its window selects by opening or by change is not documented: it is taken for the former.
 * An item names a payment to ask about: what was taken back of it is not in the list. A decision may be taken back months
 * later, and Efí sends no notification of that, so the list is read again for as long as a payment can go back.
 */
export function disputesFeed(connection: BacenConnection): Feed {
  const { id } = connection.config;
  return {
    name: 'disputes',
    windowBy: 'creation',
    rereadAfterHours: dailyWhileReturnable,
    readPage: async (query, options) => {
      const answer = await readInfractions(connection, query, options);
      if (answer.kind !== 'page') return answer;
      return { kind: 'page', rows: answer.infractions.map(infractionRow), next: answer.next };
    },
    read: (row) =>
      readRow(row, infractionSchema, (infraction) => pointerItem([eventOfInfraction(id, infraction, row.raw)])),
  };
}

function infractionRow(item: unknown): FeedRow {
  const changedAt = idIn(item, 'atualizadoEm') ?? idIn(item, 'criadoEm');
  return rowOf(['infracao', idIn(item, 'idInfracao'), idIn(item, 'status'), changedAt], item);
}
