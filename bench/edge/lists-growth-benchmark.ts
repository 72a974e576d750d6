import { Client } from 'pg';
import { depositResourceSchema } from '@gateway/public-api';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { answersHold, costsOf, figuresOf, machineNotes, measureInTurns, type Measurement } from '../compare.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { callApi, createMerchants, type Merchant } from '../environment/merchants.ts';
import type { Gate, Report } from '../report/report.ts';
import { reader } from './reader.ts';

const smallRows = 10_000;
const largeRows = 10_000_000;
const largeRowsQuick = 30_000;
const pageLimit = 200;
const p99MaxMs = 15;
/** A list is asked for by a page that shows it, one call after the other. */
const connections = 1;
const payerDocument = '52998224725';

/** A page of deposits with each filter, beside few rows and beside many. */
export const listsGrowthBenchmark: Benchmark = {
  name: 'lists-growth',
  measures: 'a page of 200 deposits with each filter, of an account with 10,000,000 deposits against one with 10,000',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const [young, grown] = await createMerchants(environment.stack, 2);
    if (!young || !grown) throw new Error('the merchants were not created');
    const rows = options.quick ? largeRowsQuick : largeRows;
    await writeDeposits(environment, young, smallRows, options);
    await writeDeposits(environment, grown, rows, options);
    return await measure(environment, { young, grown, rows }, options);
  },
};

/** Copies of a deposit that the product made, under older ids, so that every column is as the product writes it. */
const copyDeposit = `
  insert into deposit
  select (jsonb_populate_record(made, jsonb_build_object(
    'id', 'dep_' || key, 'reference', key, 'external_id', 'copy-' || copy, 'provider_ref', key,
    'state', case when copy % 4 = 0 then 'EXPIRED' else 'PENDING' end, 'amount', 1000 + copy % 1000))).*
  from deposit made, generate_series(1, $2::integer) copy,
    lateral (select '01' || substr(md5($1), 1, 12) || lpad(to_hex(copy), 12, '0')) as named (key)
  where made.id = $1`;

async function writeDeposits(
  { stack }: Environment,
  { headers }: Merchant,
  rows: number,
  { progress }: BenchOptions,
): Promise<void> {
  progress(`writing ${rows.toLocaleString('en')} deposits …`);
  const payer = { name: 'Maria da Silva', document: payerDocument };
  const body = { amount_cents: 1_000, external_id: 'first', payer };
  const call = { method: 'POST', url: `${stack.baseUrl}/v1/deposits`, headers, body } as const;
  const { id } = await callApi(call, depositResourceSchema);
  const client = new Client({ connectionString: stack.databaseUrls['gateway_deposits'] ?? '' });
  await client.connect();
  try {
    await client.query(copyDeposit, [id, rows]);
    await client.query('vacuum analyze deposit');
  } finally {
    await client.end();
  }
}

const filters: readonly (readonly [what: string, query: string])[] = [
  ['no filter', ''],
  ['status', '&status=EXPIRED'],
  ['external_id', '&external_id=copy-7'],
  ['currency', '&currency=BRL'],
  ['an amount', '&min_amount=1500&max_amount=1600'],
  ['payer_document', `&payer_document=${payerDocument}`],
  ['e2e_id', '&e2e_id=E0000000020260101000000000000000'],
  ['from', '&from=1700000000'],
];

interface Sides {
  readonly young: Merchant;
  readonly grown: Merchant;
  readonly rows: number;
}

async function measure(
  environment: Environment,
  { young, grown, rows }: Sides,
  options: BenchOptions,
): Promise<Report> {
  const measurements: Measurement[][] = [];
  for (const [what, query] of filters) {
    const path = `/v1/deposits?limit=${pageLimit}${query}`;
    const page = ({ headers }: Merchant) => ({ origin: environment.stack.baseUrl, path, caller: headers, connections });
    const subjects = [
      reader(environment, `${what}, ${smallRows.toLocaleString('en')} deposits`, page(young)),
      { ...reader(environment, `${what}, ${rows.toLocaleString('en')} deposits`, page(grown)), against: 0 },
    ];
    measurements.push(await measureInTurns(`page-${measurements.length}`, subjects, options));
  }
  const gates = measurements.map((measurement, index): Gate => {
    const [what = ''] = filters[index] ?? [];
    const p99Ms = figuresOf(measurement)[1]?.p99Ms ?? Number.NaN;
    return { what: `a page of ${pageLimit} with ${what}, p99`, value: p99Ms, unit: 'ms', atMost: p99MaxMs };
  });
  const all = measurements.flat();
  return {
    figures: measurements.flatMap(figuresOf),
    costs: costsOf(all),
    gates,
    invariants: answersHold(all),
    notes: machineNotes(all).slice(0, 1),
  };
}
