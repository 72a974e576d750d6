import { z } from 'zod';
import { GatewayError, type Gateway } from '@gateway/sdk';
import { errorTable } from '../generated/errors.ts';
import { reading, tool } from './tool.ts';

export const record = z.looseObject({});
const listed = z.object({ data: z.array(record), next_cursor: z.string().nullable() });
const limit = z.int().min(1).max(50).default(20).describe('How many at most.');
const cursor = z.string().max(200).optional().describe('`next_cursor` of the page before.');
const foundMax = 10;

export const id = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^(?:${prefix})_[A-Za-z0-9]{1,60}$`))
    .describe(`An id: ${prefix.replaceAll('|', '_… or ')}_….`);

export const findPayment = tool({
  name: 'find_payment',
  title: 'Find a payment',
  description:
    'Reads a deposit, payout or refund by its id, or finds deposits and payouts by the external_id of the merchant or by the end-to-end id that banks show for a PIX payment. Amounts are integers in cents.',
  hints: reading,
  input: z.object({
    id: id('dep|pyt|rfd').optional(),
    external_id: z.string().min(1).max(120).optional().describe('The merchant’s own id, exactly.'),
    e2e_id: z.string().min(1).max(64).optional().describe('The end-to-end id of the payment on the rail, exactly: E….'),
  }),
  result: z.object({ data: z.array(record) }),
  async run({ gateway }, { id: given, external_id, e2e_id }) {
    const byId = given === undefined ? [] : [await paymentOf(gateway, given)];
    if (external_id === undefined && e2e_id === undefined) return { data: byId };
    const query = {
      limit: foundMax,
      ...(external_id === undefined ? {} : { external_id }),
      ...(e2e_id === undefined ? {} : { e2e_id }),
    };
    const pages = await Promise.all([gateway.deposits.list(query), gateway.payouts.list(query)]);
    return { data: [...byId, ...pages.flatMap(({ data }) => data as readonly object[])] };
  },
});

async function paymentOf(gateway: Gateway, given: string): Promise<object> {
  if (given.startsWith('dep_')) return gateway.deposits.get(given);
  return given.startsWith('pyt_') ? gateway.payouts.get(given) : gateway.refunds.get(given);
}

export const getBalance = tool({
  name: 'get_balance',
  title: 'Get the balance',
  description: 'What the account has now, in cents: available, pending, blocked.',
  hints: reading,
  input: z.object({}),
  result: record,
  run: async ({ gateway }) => gateway.balance.get(),
});

export const listTransactions = tool({
  name: 'list_transactions',
  title: 'List transactions',
  description: 'Entries of the ledger, newest first: every movement of the available balance, in cents.',
  hints: reading,
  input: z.object({ limit, cursor, ref_id: z.string().max(80).optional().describe('Only those of this record.') }),
  result: listed,
  async run({ gateway }, { limit: count, cursor: after, ref_id }) {
    const query = {
      limit: count,
      ...(after === undefined ? {} : { cursor: after }),
      ...(ref_id === undefined ? {} : { ref_id }),
    };
    const { data, next_cursor } = await gateway.transactions.list(query);
    return { data, next_cursor };
  },
});

export const getEvent = tool({
  name: 'get_event',
  title: 'Get an event',
  description:
    'An event by its id (the `webhook-id` of a delivery), with the record as it was then, and what was delivered of it.',
  hints: reading,
  input: z.object({ id: id('evt') }),
  result: z.looseObject({ event: record, deliveries: z.array(record) }),
  async run({ gateway }, { id: given }) {
    const [event, { data }] = await Promise.all([gateway.events.get(given), gateway.events.deliveries(given)]);
    return { event, deliveries: data };
  },
});

export const listWebhooks = tool({
  name: 'list_webhooks',
  title: 'List webhooks',
  description: 'Where events are delivered to, with the state of each webhook. Secrets and headers are never shown.',
  hints: reading,
  input: z.object({ limit, cursor }),
  result: listed,
  async run({ gateway }, { limit: count, cursor: after }) {
    const page = await gateway.webhooks.list({ limit: count, ...(after === undefined ? {} : { cursor: after }) });
    return { data: page.data, next_cursor: page.next_cursor };
  },
});

export const explainError = tool({
  name: 'explain_error',
  title: 'Explain an error code',
  description: 'What an error code of the API means and what to do, such as INSUFFICIENT_FUNDS.',
  hints: reading,
  input: z.object({ code: z.string().max(60) }),
  result: z.object({ code: z.string(), status: z.int(), meaning: z.string(), action: z.string() }),
  async run(_, { code }) {
    const explained = errorTable.find((each) => each.code === code.trim().toUpperCase());
    if (explained === undefined) throw new GatewayError('the gateway has no such error code');
    return { ownWords: explained };
  },
});
