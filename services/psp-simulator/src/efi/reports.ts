import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { balanceBefore, statementOf, type Entry } from '#src/account/entry.ts';
import { amountText } from '#src/bacen/amount.ts';
import type { BacenBank } from '#src/bacen/bank.ts';
import { Problem } from '#src/bacen/problem.ts';

/*
 * The report of a day in the layout 4.0 that Efí publishes ("Extrato de Conciliação API Pix"): one line for each record,
 * columns separated by semicolons.
 */

const recordTypes = [
  ...['pixRecebido', 'pixEnviadoChave', 'pixEnviadoDadosBancarios', 'estornoPixEnviado', 'pixDevolucaoEnviada'],
  ...['pixDevolucaoRecebida', 'tarifaPixEnviado', 'tarifaPixRecebido', 'estornoTarifaPixEnviado'],
  ...['estornoTarifaPixRecebido', 'saldoDiaAnterior', 'saldoDia', 'transferenciaEnviada', 'transferenciaRecebida'],
  ...['estornoTransferenciaEnviada', 'tarifaTransferenciaEnviada', 'estornoTarifaTransferenciaEnviada'],
] as const;

const orderSchema = z.strictObject({
  dataMovimento: z.iso.date(),
  tipoRegistros: z.strictObject(Object.fromEntries(recordTypes.map((type) => [type, z.boolean().optional()]))),
});

const brazilMs = -3 * 3_600_000;
const dayMs = 86_400_000;
/** How long a report is being made. */
const makingMs = 300;

interface StoredReport {
  readonly day: string;
  readonly types: readonly string[];
  readonly orderedAt: string;
}

/** `POST /v2/gn/relatorios/extrato-conciliacao`: the same order again is the same report. */
export async function orderReport({ database, now }: BacenBank, body: unknown): Promise<object> {
  const parsed = orderSchema.safeParse(body);
  if (!parsed.success) throw new Problem('ExtratoConciliacaoConsultaInvalida');
  const day = parsed.data.dataMovimento;
  if (day >= new Date(now().getTime() + brazilMs).toISOString().slice(0, 10)) {
    throw new Problem('ExtratoConciliacaoConsultaInvalida');
  }
  const types = recordTypes.filter((type) => parsed.data.tipoRegistros[type] === true);
  const orderedAt = now().toISOString();
  const name = `efi-report-order:${day}:${types.join(',')}`;
  await database.query(`insert into setting (name, value) values ($1, $2) on conflict do nothing`, [
    name,
    `${randomUUID()} ${orderedAt}`,
  ]);
  const [row] = await database.query<{ value: string }>('select value from setting where name = $1', [name]);
  const [id = '', firstOrderedAt = orderedAt] = row?.value.split(' ') ?? [];
  const report: StoredReport = { day, types, orderedAt: firstOrderedAt };
  await database.query('insert into setting (name, value) values ($1, $2) on conflict do nothing', [
    ...[`efi-report:${id}`, JSON.stringify(report)],
  ]);
  return { id, dataSolicitacao: firstOrderedAt, status: statusOf(report, now()) };
}

/** `GET /v2/gn/relatorios/:id`: its state while it is being made, then the lines. */
export async function getReport(
  bank: BacenBank,
  id: string,
): Promise<{ readonly status: 200 | 202; readonly body: unknown }> {
  const [row] = await bank.database.query<{ value: string }>('select value from setting where name = $1', [
    `efi-report:${id}`,
  ]);
  if (!row) throw new Problem('NaoEncontrado');
  const report = JSON.parse(row.value) as StoredReport;
  const status = statusOf(report, bank.now());
  if (status !== 'CONCLUIDO') return { status: 202, body: { id, dataSolicitacao: report.orderedAt, status } };
  return { status: 200, body: await linesOf(bank, report) };
}

function statusOf({ orderedAt }: StoredReport, now: Date): string {
  return now.getTime() - Date.parse(orderedAt) < makingMs ? 'EM_PROCESSAMENTO' : 'CONCLUIDO';
}

async function linesOf(
  { database, account, now }: BacenBank,
  { day, types, orderedAt }: StoredReport,
): Promise<string> {
  const from = new Date(Date.parse(`${day}T00:00:00Z`) - brazilMs);
  const to = new Date(from.getTime() + dayMs);
  const wanted = new Set(types);
  const entries = (
    await statementOf(database, { dialect: account.dialect, from, to: new Date(to.getTime() - 1), now: now() })
  ).filter((entry) => wanted.has(typeOf(entry)));
  const records = entries.map(recordOf);
  const dayBefore = new Date(Date.parse(`${day}T00:00:00Z`) - dayMs).toISOString().slice(0, 10);
  const balances = [
    ...(wanted.has('saldoDiaAnterior')
      ? [`SD0;${reais(await balanceBefore(database, account.dialect, from))};${dayBefore}`]
      : []),
    ...(wanted.has('saldoDia') ? [`SD1;${reais(await balanceBefore(database, account.dialect, to))};${day}`] : []),
  ];
  const title = 'Extrato de Conciliação API Pix';
  const header = `CA;Efí;364;1;517613;SIMULADOR;${orderedAt.slice(0, 10)};${day};${title};1.0`;
  return [header, ...balances, ...records, trailerOf(records)].join('\n');
}

/** Balances are longer than the amounts of the Pix API. */
function reais(cents: number): string {
  return `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}

function typeOf({ kind, amount, e2eId }: Entry): (typeof recordTypes)[number] {
  switch (kind) {
    case 'payment':
      return 'pixRecebido';
    case 'payout':
      return 'pixEnviadoChave';
    case 'refund':
    case 'med_return':
      return 'pixDevolucaoEnviada';
    case 'return':
    case 'overturn':
      return 'pixDevolucaoRecebida';
    case 'fee':
      return e2eId?.startsWith('E99999011') ? 'tarifaPixRecebido' : 'tarifaPixEnviado';
    case 'own_transfer':
      return amount > 0 ? 'transferenciaRecebida' : 'transferenciaEnviada';
  }
}

function recordOf(entry: Entry & { readonly copy: number }): string {
  const { id, copy, amount, bookedAt, e2eId, returnId, reference, other } = entry;
  const protocol = `${300_000_000 + id}${copy === 0 ? '' : copy}`;
  const value = amountText(Math.abs(amount));
  const at = bookedAt.toISOString();
  const columns: Readonly<Record<string, readonly (string | number | null)[]>> = {
    pixRecebido: ['PR', protocol, e2eId, reference, value, other, '', '', at],
    pixEnviadoChave: ['PEC', protocol, e2eId, reference, value, other, '', 'API', at],
    pixDevolucaoEnviada: ['PDE', protocol, e2eId, '', reference, returnId, value, at],
    pixDevolucaoRecebida: ['PDR', protocol, e2eId, returnId, value, at],
    tarifaPixRecebido: ['TPR', protocol, e2eId, value, at],
    tarifaPixEnviado: ['TPE', protocol, e2eId, value, at],
    transferenciaRecebida: ['TFR', protocol, id, value, '', at],
    transferenciaEnviada: ['TFE', protocol, id, value, '', at],
  };
  return (columns[typeOf(entry)] ?? []).map((column) => String(column ?? '')).join(';');
}

/** All records, then those of each group. */
function trailerOf(records: readonly string[]): string {
  const groups = [['PR'], ['PEC', 'PEB'], ['PDE', 'PDR'], ['EPE'], ['TPE', 'TPR'], ['ETPE', 'ETPR']];
  const transfers = [['TFR'], ['TFE'], ['TTFE'], ['ETFE'], ['ETTFE']];
  const types = records.map((record) => record.split(';')[0] ?? '');
  const counts = [...groups, ...transfers].map((group) => types.filter((type) => group.includes(type)).length);
  return ['T', records.length, ...counts].join(';');
}
