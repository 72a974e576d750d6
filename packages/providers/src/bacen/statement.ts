import type { FeedPage, FeedQuery, FeedRow } from '@gateway/contracts/providers';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { paymentRow, readReceived, returnRows } from '#src/bacen/feeds.ts';
import { isMedReturn } from '#src/bacen/received-pix.ts';
import { pixSchema, type Devolucao, type Pix } from '#src/bacen/wire.ts';
import { readRow } from '#src/feed-rows.ts';
import { dailyWhileReturnable } from '#src/feeds.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { lineItem, noLine, type StatementFeed, type StatementItem } from '#src/statement.ts';

const currency = 'BRL';
/** Older windows are read for what went back since. */
const returnsAloneAfterMs = 48 * 3_600_000;

/**
 * The Pix API has no statement. What it lists as settled are payments received and their returns, by the time of the payment;
 * windows are read again for as long as a payment can go back. Fees, own transfers and all else come by file.
 */
export function statementFeed(connection: BacenConnection): StatementFeed {
  return {
    name: 'statement',
    rereadAfterHours: dailyWhileReturnable,
    readPage: (query, options) => readSettled(connection, query, options),
    read: readSettledRow,
  };
}

/** Payments of a window with what went back of them; of an old window only those that went back. */
export async function readSettled(
  connection: BacenConnection,
  query: FeedQuery,
  options: CallOptions | undefined,
): Promise<FeedPage> {
  const isOld = connection.now().getTime() - query.to.getTime() > returnsAloneAfterMs;
  const filter: Readonly<Record<string, string>> = isOld ? { devolucaoPresente: 'true' } : {};
  const rowsOf = (item: unknown): FeedRow[] => {
    const { devolucoes: _, ...payment } = Object(item) as Readonly<Record<string, unknown>>;
    const isReadable = pixSchema.safeParse(item).success;
    return isReadable ? [paymentRow(payment), ...returnRows(item)] : [paymentRow(item)];
  };
  return await readReceived(connection, { query, rowsOf, filter }, options);
}

/** A row with a return is the line of that, one without the line of the payment. */
export function readSettledRow(row: FeedRow): StatementItem {
  return readRow(row, pixSchema, (pix) => {
    const [devolucao] = pix.devolucoes ?? [];
    return devolucao ? lineOfReturn(pix, devolucao) : lineOfPayment(pix);
  });
}

function lineOfPayment(pix: Pix): StatementItem {
  const { endToEndId: e2eId, txid: ourRef, valor: amount, horario: bookedAt, pagador, gnExtras } = pix;
  const payer = gnExtras?.pagador ?? pagador;
  const counterparty = payer?.cpf ?? payer?.cnpj ?? payer?.nome;
  return lineItem({
    lineKey: `pix:${e2eId}`,
    bookedAt,
    amount,
    currency,
    kind: 'payment',
    e2eId,
    ourRef,
    counterparty,
  });
}

function lineOfReturn({ endToEndId: e2eId, horario: paidAt }: Pix, devolucao: Devolucao): StatementItem {
  const { id: ourRef, rtrId: returnId = ourRef, valor, horario, status } = devolucao;
  if (status !== 'DEVOLVIDO') return noLine;
  return lineItem({
    lineKey: returnKey(e2eId, ourRef),
    bookedAt: horario?.liquidacao ?? horario?.solicitacao ?? paidAt,
    amount: -valor,
    currency,
    kind: isMedReturn(devolucao) ? 'med_return' : 'refund',
    ...{ e2eId, returnId, ourRef },
  });
}

/** A return is named by its payment and the id it was asked for with. */
export function returnKey(e2eId: string, id: string): string {
  return `devolucao:${e2eId}:${id}`;
}
