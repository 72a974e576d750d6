import type { FeedPage, FeedQuery } from '@gateway/contracts/providers';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { readSettled, readSettledRow } from '#src/bacen/statement.ts';
import { readSent } from '#src/efi/feeds.ts';
import { returnsOf } from '#src/efi/payout-events.ts';
import { fetchReport, type Report } from '#src/efi/report.ts';
import { lineOfRecord, nameOfRecord, recordSchema } from '#src/efi/report-records.ts';
import { sentSchema, type Sent } from '#src/efi/wire.ts';
import { readRow } from '#src/feed-rows.ts';
import { dailyWhileReturnable } from '#src/feeds.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { daysBeginningIn, lineItem, noLine, type StatementFeed, type StatementItem } from '#src/statement.ts';

const currency = 'BRL';
const hourMs = 3_600_000;
/** From this age on a moment is read from the report of its day. */
const reportAfterMs = 24 * hourMs;
/** How long the report of a day is asked for again. */
const reportForMs = 4 * 24 * hourMs;
/** Four hours after its end the report of a day is asked for. */
const reportedHours = 28;
const rowsPerPage = 1_000;
/** What came back of a payout is in the report of the day of its return too: old windows of payouts are read now and then. */
const sentAgainAfterHours = [2, 7, 14, 30, 60, 91].map((days) => days * 24);
/** A window counts as so old for two steps of its readers, should one of them be late. */
const sentAgainForHours = 36;

/**
 * The day that runs is known from the settled lists, payments received and payouts, and what went back of either. A day that
 * has ended is read once more as a whole, from its report, which has fees and own transfers too. The same movement has one
 * key in both.
 */
export function statementFeed(connection: BacenConnection): StatementFeed {
  const reports = new Reports(connection);
  return {
    name: 'statement',
    rereadAfterHours: [...dailyWhileReturnable, reportedHours].toSorted((one, other) => one - other),
    readPage: (query, options) => readPart(connection, reports, query, options),
    read: (row) => {
      if (row.key.startsWith('report:')) return readRow(row, recordSchema, lineOfRecord);
      return row.key.startsWith('envio:') ? readRow(row, sentSchema, lineOfSent) : readSettledRow(row);
    },
  };
}

const parts = ['pix', 'enviados', 'report'] as const;
type Part = (typeof parts)[number];

/** One list after the other; the place names the list, and the place in it. */
async function readPart(
  connection: BacenConnection,
  reports: Reports,
  query: FeedQuery,
  options: CallOptions | undefined,
): Promise<FeedPage> {
  const [part = 'pix', inPart] = (query.place?.split('/') ?? []) as [Part?, string?];
  const inner: FeedQuery = { from: query.from, to: query.to, ...(inPart ? { place: inPart } : {}) };
  const sized = query.pageItems === undefined ? inner : { ...inner, pageItems: query.pageItems };
  const page = await {
    pix: () => readSettled(connection, sized, options),
    enviados: () => readSent(connection, sized, options),
    report: () => readReports(connection, reports, inner, options),
  }[part]();
  if (page.kind === 'unavailable') return page;
  const following = partsOf(connection.now().getTime() - query.to.getTime()).find(
    (each) => parts.indexOf(each) > parts.indexOf(part),
  );
  const next = page.next ? `${part}/${page.next}` : following ? `${following}/` : null;
  return { ...page, next };
}

/** Every payout would be read a hundred times, if windows of any age had them. */
function partsOf(ageMs: number): readonly Part[] {
  const ageHours = ageMs / hourMs;
  const isSentRead =
    ageMs < reportForMs / 2 ||
    sentAgainAfterHours.some((hours) => ageHours >= hours && ageHours < hours + sentAgainForHours);
  return isSentRead ? parts : parts.filter((part) => part !== 'enviados');
}

/** The whole report of each day that begins in the window and has ended long enough ago; the place is the day and a line of it. */
async function readReports(
  { now }: BacenConnection,
  reports: Reports,
  { from, to, place }: FeedQuery,
  options: CallOptions | undefined,
): Promise<FeedPage> {
  const ageMs = now().getTime() - to.getTime();
  const days = ageMs < reportAfterMs || ageMs > reportForMs ? [] : daysBeginningIn(from, to, currency);
  const [day = days[0], offsetText = '0'] = place?.split(':') ?? [];
  if (day === undefined) return { kind: 'page', rows: [], next: null };
  const report = await reports.get(day, options);
  if (report.kind !== 'report') return report;
  const end = Number(offsetText) + rowsPerPage;
  const following = days[days.indexOf(day) + 1];
  const next = end < report.rows.length ? `${day}:${end}` : following ? `${following}:0` : null;
  return { kind: 'page', rows: report.rows.slice(Number(offsetText), end), next };
}

/** Keeps the last report, so that its pages are of one fetching. */
class Reports {
  readonly #connection: BacenConnection;
  #last: { readonly day: string; readonly report: Report; readonly atMs: number } | undefined;

  constructor(connection: BacenConnection) {
    this.#connection = connection;
  }

  async get(day: string, options: CallOptions | undefined): Promise<Report> {
    const atMs = this.#connection.now().getTime();
    if (this.#last?.day === day && atMs - this.#last.atMs < keptMs) return this.#last.report;
    const report = await fetchReport(this.#connection, { day, nameOf: nameOfRecord }, options);
    this.#last = report.kind === 'report' ? { day, report, atMs } : undefined;
    return report;
  }
}

const keptMs = 60_000;

/** A payout that was paid, or a part of one that came back. */
function lineOfSent(sent: Sent): StatementItem {
  const { idEnvio: ourRef, endToEndId: e2eId, valor, status, horario, devolucoes } = sent;
  const bookedAt = horario.liquidacao ?? horario.solicitacao;
  if (devolucoes) {
    const [part] = returnsOf({ at: bookedAt, devolucoes });
    if (!part) return noLine;
    const { returnId, money, at } = part;
    const line = {
      lineKey: `retorno:${returnId}`,
      bookedAt: at,
      amount: money.amount,
      currency,
      kind: 'return',
    } as const;
    return lineItem({ ...line, e2eId, returnId, ourRef });
  }
  if (status !== 'REALIZADO') return noLine;
  return lineItem({ lineKey: `envio:${ourRef}`, bookedAt, amount: -valor, currency, kind: 'payout', e2eId, ourRef });
}
