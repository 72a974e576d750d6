import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';
import type { Stack } from '@gateway/local-stack';
import { deliveryResourceSchema, depositResourceSchema, payoutResourceSchema } from '@gateway/public-api';
import { callApi, fundMerchants, readList, registerWebhook, type Merchant } from '../environment/merchants.ts';

type Filter = readonly [what: string, query: string];

/** A list that grows with the life of an account. */
export interface GrownList {
  readonly what: string;
  readonly database: string;
  readonly table: string;
  /** Makes the first record of it; answers its id, and the list it is in. */
  readonly make: (stack: Stack, merchant: Merchant) => Promise<{ readonly id: string; readonly path: string }>;
  /** In SQL, what of a copy is not as in the record: by `new_key`, 26 characters that sort as the ids do, and `copy`. */
  readonly changed: string;
  readonly filters: readonly Filter[];
}

const document = '52998224725';
const person = { name: 'Maria da Silva', document };
const fundsCents = 1_000_000;
const pollMs = 200;
const payoutAnswerSchema = z.object({ payout: payoutResourceSchema });
const unknownE2eId = 'E0000000020260101000000000000000';
const ofEveryRecord: readonly Filter[] = [
  ['no filter', ''],
  ['external_id', '&external_id=copy-7'],
  ['currency', '&currency=BRL'],
  ['an amount', '&min_amount=1500&max_amount=1600'],
  ['e2e_id', `&e2e_id=${unknownE2eId}`],
  ['from', '&from=1700000000'],
];

const deposits: GrownList = {
  what: 'deposits',
  database: 'gateway_deposits',
  table: 'deposit',
  make: async ({ baseUrl }, { headers }) => {
    const body = { amount_cents: 1_000, external_id: 'first', payer: person };
    const call = { method: 'POST', url: `${baseUrl}/v1/deposits`, headers, body } as const;
    return { id: (await callApi(call, depositResourceSchema)).id, path: '/v1/deposits' };
  },
  changed: `'id', 'dep_' || new_key, 'reference', new_key, 'external_id', 'copy-' || copy, 'provider_ref', new_key,
    'state', case when copy % 4 = 0 then 'EXPIRED' else 'PENDING' end, 'amount', 1000 + copy % 1000`,
  filters: [...ofEveryRecord, ['status', '&status=EXPIRED'], ['payer_document', `&payer_document=${document}`]],
};

const payouts: GrownList = {
  what: 'payouts',
  database: 'gateway_payouts',
  table: 'payout',
  make: async (stack, merchant) => {
    const { baseUrl } = stack;
    await fundMerchants(stack, [merchant], fundsCents);
    const body = {
      ...{ amount_cents: 1_000, external_id: 'first', recipient: person },
      ...{ pix_key: 'maria@example.com', pix_key_type: 'email' },
    };
    const call = { method: 'POST', url: `${baseUrl}/v1/payouts`, headers: merchant.headers, body } as const;
    const { payout } = await callApi(call, payoutAnswerSchema);
    const paid = async () => {
      for await (const { status } of readList(stack, merchant, '/v1/payouts', payoutResourceSchema)) return status;
      return undefined;
    };
    while ((await paid()) !== 'PAID') await delay(pollMs);
    return { id: payout.id, path: '/v1/payouts' };
  },
  changed: `'id', 'pyt_' || new_key, 'reference', new_key, 'external_id', 'copy-' || copy, 'amount', 1000 + copy % 1000,
    'recheck_at', null`,
  filters: [
    ...ofEveryRecord,
    ['status', '&status=PAID'],
    ['a rare status', '&status=FAILED'],
    ['kind', '&kind=PLAYER_PAYOUT'],
    ['recipient_document', `&recipient_document=${document}`],
  ],
};

const deliveries: GrownList = {
  what: 'deliveries',
  database: 'gateway_webhooks',
  table: 'delivery',
  make: async (stack, merchant) => {
    const events = ['deposit.expired'] as const;
    const webhook = await registerWebhook(stack, merchant, { url: 'https://receiver.invalid/', events });
    const body = { amount_cents: 1_000, external_id: 'delivered' };
    const { baseUrl } = stack;
    const { headers } = merchant;
    const made = await callApi({ method: 'POST', url: `${baseUrl}/v1/deposits`, headers, body }, depositResourceSchema);
    const expire = `${baseUrl}/v1/test/deposits/${made.id}/expire`;
    await callApi({ method: 'POST', url: expire, headers }, depositResourceSchema);
    const path = `/v1/webhooks/${webhook}/deliveries`;
    for (;;) {
      for await (const { id } of readList(stack, merchant, path, deliveryResourceSchema)) return { id, path };
      await delay(pollMs);
    }
  },
  changed: `'id', 'dlv_' || new_key, 'event_id', 'evt_' || new_key, 'data_id', 'dep_' || new_key, 'lease_owner', null,
    'lease_until', null, 'attempts', 1, 'state', case when copy % 100 = 0 then 3 else 2 end`,
  filters: [
    ['no filter', ''],
    ['status', '&status=DELIVERED'],
    ['a rare status', '&status=FAILED'],
    ['event', '&event=deposit.expired'],
    ['data_id', '&data_id=dep_01k9z3m4v6t8x0a2c4e6g8jk01'],
  ],
};

export const grownLists: readonly GrownList[] = [deposits, payouts, deliveries];

/** What can be written of a table: not the columns that PostgreSQL computes. */
const columnsOf = `
  select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
  where table_name = $1 and is_generated = 'NEVER'`;

/** Copies of a record that the product made, under older ids, so that every column is as the product writes it. */
const copyOf = ({ table, changed }: GrownList, columns: string) => `
  insert into ${table} (${columns})
  select ${columns} from (
    select (jsonb_populate_record(made, jsonb_build_object(${changed}))).*
    from ${table} made, generate_series(1, $2::integer) copy,
      lateral (select '01' || substr(md5($1), 1, 12) || lpad(to_hex(copy), 12, '0')) as named (new_key)
    where made.id = $1
  ) copies`;

/** Lets a list of a merchant grow; answers its path. */
export async function growList(stack: Stack, merchant: Merchant, list: GrownList, rows: number): Promise<string> {
  const { id, path } = await list.make(stack, merchant);
  const client = new Client({ connectionString: stack.databaseUrls[list.database] ?? '' });
  await client.connect();
  try {
    const found = await client.query<{ columns: string }>(columnsOf, [list.table]);
    await client.query(copyOf(list, found.rows[0]?.columns ?? ''), [id, rows]);
    await client.query(`vacuum analyze ${list.table}`);
  } finally {
    await client.end();
  }
  return path;
}
