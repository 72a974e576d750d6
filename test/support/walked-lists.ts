import { expect } from 'vitest';
import { connectBus } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { eventually, silentLogger } from '@gateway/test-kit';
import { recipient, type Edge, type NewMerchant } from './edge.ts';
import type { Json } from './merchant-client.ts';
import { walkedFindings } from './reconciliation-operations.ts';
import type { WalkedList } from './walk-list.ts';

type Prepare = (edge: Edge, merchant: NewMerchant) => Promise<WalkedList> | WalkedList;

const recipientByMail = { recipient, pix_key: 'hold@sandbox.test', pix_key_type: 'email' };

const merchantList =
  ({ test }: NewMerchant, path: string) =>
  async (query: string) =>
    (await test.get(`/v1/${path}?${query}`)).body;
const operatorList =
  ({ operate }: Edge, path: string) =>
  async (query: string) =>
    (await operate('GET', `/ops/${path}?${query}`)).body;

const charges =
  ({ reference }: Edge, { test }: NewMerchant) =>
  () =>
    test.post('/v1/deposits', { amount_cents: 100, external_id: reference() });

async function paid({ reference }: Edge, { test }: NewMerchant, amount_cents = 10_000): Promise<string> {
  const { body } = await test.post('/v1/deposits', { amount_cents, external_id: reference() });
  expect((await test.post(`/v1/test/deposits/${body.id}/pay`)).status).toBe(200);
  return body.id;
}

const payoutsOf = async (edge: Edge, merchant: NewMerchant): Promise<() => Promise<unknown>> => {
  await paid(edge, merchant);
  const payout = { amount_cents: 10, ...recipientByMail };
  return () => merchant.test.post('/v1/payouts', { ...payout, external_id: edge.reference() });
};

const refundsOf = async (edge: Edge, merchant: NewMerchant): Promise<() => Promise<unknown>> => {
  const path = `/v1/deposits/${await paid(edge, merchant)}/refunds`;
  return () => merchant.test.post(path, { amount_cents: 10, external_id: edge.reference() });
};

/** Each transfer that does not cover a SPEI charge is one more delivery of the same deposit. */
const deliveriesOf = async ({ receiver, reference }: Edge, { test }: NewMerchant) => {
  const { body: webhook } = await test.post('/v1/webhooks', { name: 'shop', url: receiver.url });
  const charge = { amount: 1_000_000, currency: 'MXN', external_id: reference() };
  const { body: deposit } = await test.post('/v1/deposits', charge);
  const add = () => test.post(`/v1/test/deposits/${deposit.id}/pay`, { amount: 100 });
  return { webhookId: webhook.id as string, depositId: deposit.id as string, add };
};

const conversionsOf = async (edge: Edge, merchant: NewMerchant): Promise<() => Promise<unknown>> => {
  await paid(edge, merchant, 100_000);
  const conversion = { from: 'BRL', to: 'USDT', amount: 1_000 };
  return () => merchant.test.post('/v1/conversions', { ...conversion, external_id: edge.reference() });
};

/** Five are written at once: the next one waits for it. */
async function exported({ test }: NewMerchant, external_id: string): Promise<void> {
  const day = { from: '2026-01-01', to: '2026-01-01' };
  const { body } = await test.post('/v1/exports', {
    kind: 'deposits',
    format: 'csv',
    currency: 'BRL',
    ...day,
    external_id,
  });
  await eventually(async () => expect((await test.get(`/v1/exports/${body.id}`)).body.status).toBe('COMPLETED'));
}

const adjustment = (account_id: string, external_id: string) => ({
  ...{ account_id, environment: 'test', currency: 'BRL', amount_cents: 9, reason: 'a gift', external_id },
});

/** Every list of both APIs, by method and path as described. */
export const walkedLists: Readonly<Record<string, Prepare>> = {
  'GET /v1/deposits': (edge, merchant) => ({ page: merchantList(merchant, 'deposits'), add: charges(edge, merchant) }),
  'GET /v1/deposits/{id}/refunds': async (edge, merchant) => {
    const path = `deposits/${await paid(edge, merchant)}/refunds`;
    const refund = () => merchant.test.post(`/v1/${path}`, { amount_cents: 10, external_id: edge.reference() });
    return { page: merchantList(merchant, path), add: refund };
  },
  'GET /v1/refunds': async (edge, merchant) => {
    return { page: merchantList(merchant, 'refunds'), add: await refundsOf(edge, merchant) };
  },
  'GET /v1/payouts': async (edge, merchant) => ({
    ...{ page: merchantList(merchant, 'payouts'), add: await payoutsOf(edge, merchant) },
  }),
  'GET /v1/transactions': (edge, merchant) => ({
    ...{ page: merchantList(merchant, 'transactions'), add: () => paid(edge, merchant) },
  }),
  'GET /v1/webhooks': ({ receiver }, merchant) => ({
    page: merchantList(merchant, 'webhooks'),
    add: () => merchant.test.post('/v1/webhooks', { name: 'shop', url: receiver.url }),
  }),
  'GET /v1/webhooks/{id}/deliveries': async ({ receiver, reference }, merchant) => {
    const { body } = await merchant.test.post('/v1/webhooks', { name: 'shop', url: receiver.url });
    return {
      page: merchantList(merchant, `webhooks/${body.id}/deliveries`),
      add: () => merchant.test.post('/v1/deposits', { amount_cents: 100, external_id: reference() }),
    };
  },
  'GET /v1/disputes': (edge, merchant) => ({
    page: merchantList(merchant, 'disputes'),
    add: async () => merchant.test.post(`/v1/test/deposits/${await paid(edge, merchant)}/dispute`),
  }),
  'GET /v1/conversions': async (edge, merchant) => ({
    ...{ page: merchantList(merchant, 'conversions'), add: await conversionsOf(edge, merchant) },
  }),
  'GET /v1/exports': ({ reference }, merchant) => ({
    page: merchantList(merchant, 'exports'),
    add: () => exported(merchant, reference()),
  }),
  'GET /v1/deliveries': async (edge, merchant) => {
    const { depositId, add } = await deliveriesOf(edge, merchant);
    return { page: (query) => merchantList(merchant, 'deliveries')(`data_id=${depositId}&${query}`), add };
  },
  'GET /v1/events': (edge, merchant) => ({ page: merchantList(merchant, 'events'), add: charges(edge, merchant) }),
  'GET /v1/requests': (edge, merchant) => ({
    page: (query) => merchantList(merchant, 'requests')(`method=POST&${query}`),
    add: charges(edge, merchant),
  }),
  'GET /ops/requests': (edge, merchant) => ({
    page: (query) => operatorList(edge, 'requests')(`account_id=${merchant.id}&method=POST&${query}`),
    add: charges(edge, merchant),
  }),
  'GET /ops/accounts': (edge) => ({
    page: operatorList(edge, 'accounts'),
    add: () => edge.operate('POST', '/ops/accounts', { name: 'Loja' }),
  }),
  'GET /ops/accounts/{id}/activity': async (edge, merchant) => {
    const [charge, refund] = [charges(edge, merchant), await refundsOf(edge, merchant)];
    let added = 0;
    return {
      page: operatorList(edge, `accounts/${merchant.id}/activity`),
      add: () => (added++ % 2 === 0 ? charge() : refund()),
    };
  },
  'GET /ops/accounts/{id}/keys': (edge, { id }) => ({
    page: operatorList(edge, `accounts/${id}/keys`),
    add: () => edge.operate('POST', `/ops/accounts/${id}/keys`, { environment: 'test' }),
  }),
  'GET /ops/accounts/{id}/transactions': (edge, merchant) => ({
    page: (query) => operatorList(edge, `accounts/${merchant.id}/transactions`)(`environment=test&${query}`),
    add: () => paid(edge, merchant),
  }),
  'GET /ops/accounts/{id}/webhooks': (edge, { id, test }) => ({
    page: (query) => operatorList(edge, `accounts/${id}/webhooks`)(`environment=test&${query}`),
    add: () => test.post('/v1/webhooks', { name: 'shop', url: edge.receiver.url }),
  }),
  'GET /ops/accounts/{id}/webhooks/{webhookId}/deliveries': async (edge, merchant) => {
    const { webhookId, add } = await deliveriesOf(edge, merchant);
    return { page: operatorList(edge, `accounts/${merchant.id}/webhooks/${webhookId}/deliveries`), add };
  },
  'GET /ops/deliveries': async (edge, merchant) => {
    const { depositId, add } = await deliveriesOf(edge, merchant);
    return { page: (query) => operatorList(edge, 'deliveries')(`data_id=${depositId}&${query}`), add };
  },
  'GET /ops/deposits': (edge, { test }) => ({
    page: operatorList(edge, 'deposits'),
    add: () => test.post('/v1/deposits', { amount_cents: 100, external_id: edge.reference() }),
  }),
  'GET /ops/conversions': async (edge, merchant) => ({
    ...{ page: operatorList(edge, 'conversions'), add: await conversionsOf(edge, merchant) },
  }),
  'GET /ops/conversions/orders': async (edge) => {
    const ledger = await edge.databaseOf('ledger');
    const ended = `
      insert into treasury_order (id, venue, currency, state, result, amount, price_max, created_at, ended_at)
      values ($1, 'walked', 'BRL', 'DONE', 'UNFILLED', 1, 6, now(), now())`;
    return {
      page: operatorList(edge, 'conversions/orders'),
      add: () => ledger.query(ended, [newId('treasuryOrder')]),
    };
  },
  'GET /ops/approvals': (edge, { id }) => ({
    page: operatorList(edge, 'approvals'),
    add: () => edge.operate('POST', `/ops/accounts/${id}/keys`, { environment: 'live' }),
  }),
  'GET /ops/payouts': async (edge, merchant) => ({
    ...{ page: operatorList(edge, 'payouts'), add: await payoutsOf(edge, merchant) },
  }),
  'GET /ops/refunds': async (edge, merchant) => {
    return { page: operatorList(edge, 'refunds'), add: await refundsOf(edge, merchant) };
  },
  'GET /ops/disputes': (edge, merchant) => ({
    page: operatorList(edge, 'disputes'),
    add: async () => merchant.test.post(`/v1/test/deposits/${await paid(edge, merchant)}/dispute`),
  }),
  /** Money that comes a second time on one charge belongs to no deposit. */
  'GET /ops/orphan-receipts': (edge, { live }) => {
    const page = operatorList(edge, 'orphan-receipts');
    const add = async () => {
      const { body } = await live.post('/v1/deposits', { amount_cents: 100, external_id: edge.reference() });
      const charge = `/charges/${body.id.slice('dep_'.length)}`;
      for (const count of [1, 2]) {
        await edge.simulate('POST', `${charge}/pay`, {});
        await eventually(async () => expect((await edge.simulate('GET', charge)).payments).toHaveLength(count));
      }
    };
    return { page, add };
  },
  'GET /ops/adjustments': (edge, { id }) => ({
    page: operatorList(edge, 'adjustments'),
    add: () => edge.operate('POST', '/ops/adjustments', adjustment(id, edge.reference())),
  }),
  'GET /ops/reconciliations': (edge) => ({
    page: operatorList(edge, 'reconciliations'),
    add: () => edge.operate('POST', '/ops/reconciliations'),
  }),
  'GET /ops/reconciliations/{id}/checks/{name}/findings': walkedFindings,
  'GET /ops/dead-letters': (edge) => ({
    page: operatorList(edge, 'dead-letters'),
    add: async () => {
      const bus = await connectBus({ url: edge.stack.natsUrl, name: 'test', logger: silentLogger });
      const message = { messageId: edge.reference(), trace: {}, timeoutMs: 5_000 };
      await bus.publish('event.deposits.deposit.paid.v1', 'not json', message);
      await bus[Symbol.asyncDispose]();
    },
  }),
  'GET /ops/unread-items': async (edge) => {
    const deposits = await edge.databaseOf('deposits');
    const unreadable = `
      insert into item_inbox (environment, provider, feed, key, raw, state, cause, first_seen)
      values ('live', 'walked', 'payouts', $1, '{}', 'UNREADABLE', 'an object', now())`;
    return { page: operatorList(edge, 'unread-items'), add: () => deposits.query(unreadable, [edge.reference()]) };
  },
  /** Of a list that is read here; none of its parts is read again in this century. */
  'GET /ops/feeds/{id}/gaps': async (edge) => {
    const { body: feeds } = await edge.operate('GET', '/ops/feeds');
    const { id, provider, feed } = feeds.data.find(({ service }: Json) => service === 'deposits');
    const deposits = await edge.databaseOf('deposits');
    const unparsed = `
      insert into poll_gap (environment, provider, name, from_at, to_at, cause, found_at, next_attempt_at)
      select 'live', $1, $2, at, at + interval '10 seconds', 'not JSON', now(), '2100-01-01' from (
        select coalesce(max(to_at), '2020-01-01') as at from poll_gap where (provider, name) = ($1, $2)) as last`;
    return { page: operatorList(edge, `feeds/${id}/gaps`), add: () => deposits.query(unparsed, [provider, feed]) };
  },
  'GET /ops/sign-ins': async (edge) => {
    const identity = await edge.databaseOf('identity');
    const person = newId('person');
    const refused = `
      insert into sign_in (realm, id, person_id, name, what, outcome, detail, address, user_agent, at)
      values ('operator', $1, $2, 'walked', 'sign_in.password', 'refused', 'wrong', '192.0.2.1', 'test', now())`;
    const page = (query: string) => operatorList(edge, 'sign-ins')(`person_id=${person}&${query}`);
    return { page, add: () => identity.query(refused, [newId('signIn'), person]) };
  },
  'GET /ops/statement-files': async (edge) => {
    const reconciler = await edge.databaseOf('reconciler');
    const refused = `
      insert into statement_file (id, provider, currency, format, dry_run, state, sha256, uploaded_by, received_at)
      values ($1, 'walked', 'BRL', 'ofx', false, 'REFUSED', '', 'ana', now())`;
    return {
      page: operatorList(edge, 'statement-files'),
      add: () => reconciler.query(refused, [newId('statementFile')]),
    };
  },
  'GET /ops/exceptions': async (edge) => {
    const reconciler = await edge.databaseOf('reconciler');
    const open = `
      insert into exception (id, environment, provider, currency, subject, reason, amount, p_amount, r_amount, l_amount,
        state, opened_at)
      values ($1, 'live', 'walked', 'BRL', $1, 'line_without_record', 1, 1, 0, 0, 'EXPLAINED', now())`;
    return { page: operatorList(edge, 'exceptions'), add: () => reconciler.query(open, [newId('exception')]) };
  },
  'GET /ops/lines': async (edge) => {
    const reconciler = await edge.databaseOf('reconciler');
    const booked = `
      insert into line (provider, currency, line_key, kind, amount, booked_at, source, revision, received_at, subject)
      values ('walked', 'BRL', $1, 'other', 1, now(), 'list', 0, now(), 'line:other:' || $1)`;
    const page = (query: string) => operatorList(edge, 'lines')(`provider=walked&${query}`);
    return { page, add: () => reconciler.query(booked, [newId('deposit')]) };
  },
  'GET /ops/statement-days': async (edge) => {
    const reconciler = await edge.databaseOf('reconciler');
    const closed = `
      insert into day_close (provider, currency, day, opening, lines, closing, unexplained_plus, unexplained_minus,
        closed_at, closed_by)
      select 'walked', 'BRL', coalesce(min(day) - 1, '2020-01-01'), 0, 0, 0, 0, 0, now(), 'ana' from day_close
      where provider = 'walked'`;
    const page = (query: string) => operatorList(edge, 'statement-days')(`provider=walked&${query}`);
    return { page, add: () => reconciler.query(closed) };
  },
  /** Of a shard that has no ledger, so that no signature has to fit. */
  'GET /ops/proof/{environment}/{shard}/anchors': async (edge) => {
    const ledger = await edge.databaseOf('ledger');
    const kept = `
      with c as (
        insert into checkpoint (environment, shard, size, root, chain_hash, at)
        select 'test', 9, coalesce(max(size), 0) + 1, decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), now()
        from checkpoint where environment = 'test' and shard = 9 returning size
      ) select size from c`;
    const add = async () => {
      const [{ size } = { size: 0 }] = await ledger.query<{ size: number }>(kept, []);
      const columns = 'environment, shard, size, target, period, queued_at, next_at, done_at';
      const anchor = `insert into anchor (${columns}) values ('test', 9, $1, 'auditor', $1, now(), now(), now())`;
      await ledger.query(anchor, [size]);
    };
    return { page: operatorList(edge, 'proof/test/9/anchors'), add };
  },
  'GET /ops/audit': (edge) => ({
    page: operatorList(edge, 'audit'),
    add: () => edge.operate('POST', '/ops/accounts', { name: 'Loja' }),
  }),
};
