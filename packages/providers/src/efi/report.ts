import { z } from 'zod';
import type { FeedRow } from '@gateway/contracts/providers';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { pageOf, type MissingPage } from '#src/feed-rows.ts';
import { hostileIn } from '#src/item-text.ts';
import type { CallOptions } from '#src/outcomes.ts';

/*
 * The report of a day ("Extrato de Conciliação API Pix", layout 4.0): ordered by `POST /v2/gn/relatorios/extrato-conciliacao`,
 * made in about half a minute, fetched by `GET /v2/gn/relatorios/:id` as lines whose columns are separated by semicolons.
 * Efí makes it for days that have ended alone.
 */

/** A day of some 400,000 movements. */
const reportBytesMax = 64 * 1024 * 1024;
const attemptsMax = 8;
const pauseMs = 2_000;

/** Everything but the two balances of the day, which are no movements. */
const recordTypes = [
  ...['pixRecebido', 'pixEnviadoChave', 'pixEnviadoDadosBancarios', 'estornoPixEnviado'],
  ...['pixDevolucaoEnviada', 'pixDevolucaoRecebida'],
  ...['tarifaPixEnviado', 'tarifaPixRecebido', 'estornoTarifaPixEnviado', 'estornoTarifaPixRecebido'],
  ...['transferenciaEnviada', 'transferenciaRecebida', 'estornoTransferenciaEnviada'],
  ...['tarifaTransferenciaEnviada', 'estornoTarifaTransferenciaEnviada'],
];

const orderedSchema = z.object({ id: z.string().regex(/^[\p{L}\p{N}\p{Pd}_]{1,64}$/u), status: z.string() });

const textSchema = z.object({ text: z.string() });

export type Report = { readonly kind: 'report'; readonly rows: readonly FeedRow[] } | MissingPage;

/** What names the movement of a record. */
export type NameOfRecord = (columns: readonly string[]) => string;

/** Orders the report of a day and waits for it. One that was ordered before is the same one. */
export async function fetchReport(
  connection: BacenConnection,
  { day, nameOf }: { readonly day: string; readonly nameOf: NameOfRecord },
  options: CallOptions | undefined,
): Promise<Report> {
  const order = pageOf(
    await connection.call(
      {
        method: 'POST',
        path: '/v2/gn/relatorios/extrato-conciliacao',
        body: { dataMovimento: day, tipoRegistros: Object.fromEntries(recordTypes.map((type) => [type, true])) },
        schema: orderedSchema,
      },
      options,
    ),
  );
  if (order.kind !== 'page') return unavailable(order.cause);
  const path = `/v2/gn/relatorios/${encodeURIComponent(order.value.id)}`;
  for (let attempt = 0; attempt < attemptsMax && options?.signal?.aborted !== true; attempt += 1) {
    if (attempt > 0) await pause(options?.signal);
    const call = { method: 'GET', path, schema: textSchema, textBytesMax: reportBytesMax } as const;
    const answer = pageOf(await connection.call(call, options));
    if (answer.kind !== 'page') return unavailable(answer.cause);
    if (!isUnderWay(answer.value.text)) return rowsOfReport(answer.value.text, nameOf);
  }
  return unavailable('the report of the day is still being made');
}

/** What cannot be had as a whole is asked for again: a smaller window would be the same report. */
function unavailable(cause: string): MissingPage {
  return { kind: 'unavailable', cause };
}

/** Until the report is made, its address answers JSON with the state. */
function isUnderWay(text: string): boolean {
  return text.trimStart().startsWith('{');
}

function rowsOfReport(text: string, nameOf: NameOfRecord): Report {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  const first = lines[0] ?? '';
  const last = lines.at(-1) ?? '';
  if (!first.startsWith('CA;') || !last.startsWith('T;')) return unavailable('the report has no header or no trailer');
  const records = lines.slice(1, -1).filter((line) => !/^SD[01];/.test(line));
  const announced = Number(last.split(';')[1]);
  if (announced !== records.length) {
    return unavailable(`the report announces ${announced} lines and has ${records.length}`);
  }
  const seen = new Map<string, number>();
  const rows = records.map((line) => {
    const columns = line.split(';').map((column) => column.trim());
    const name = nameOf(columns);
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return rowOfRecord(`report:${name}#${number}`, { record: columns, number });
  });
  return { kind: 'report', rows };
}

/** Lines of one name have a running number: a movement that is listed twice is two lines. */
function rowOfRecord(key: string, raw: object): FeedRow {
  const hostile = hostileIn(raw);
  return { key, raw: hostile ? { unreadable: hostile } : raw };
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  const until = AbortSignal.any([AbortSignal.timeout(pauseMs), ...(signal ? [signal] : [])]);
  await new Promise<void>((resolve) => until.addEventListener('abort', () => resolve(), { once: true }));
}
