import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Gateway } from '@gateway/sdk';
import { id, record } from './reads.ts';
import { adding, tool } from './tool.ts';

const amount = z.int().min(1).max(10_000_000).describe('In cents: 10050 is R$ 100.50.');
const externalId = z
  .string()
  .min(1)
  .max(120)
  .optional()
  .describe('Your own id; the same one again is the same deposit.');

export const createTestDeposit = tool({
  name: 'create_test_deposit',
  title: 'Create a test deposit',
  description: 'Test keys alone. Asks for a payment in test mode: no money moves.',
  hints: adding,
  input: z.object({
    amount_cents: amount,
    external_id: externalId,
    description: z.string().max(140).optional(),
  }),
  result: record,
  async run({ gateway }, { amount_cents, external_id = `mcp-${randomUUID()}`, description }) {
    return gateway.deposits.create({
      amount_cents,
      external_id,
      ...(description === undefined ? {} : { description }),
    });
  },
});

export const payTestDeposit = tool({
  name: 'pay_test_deposit',
  title: 'Pay a test deposit',
  description: 'Test keys alone. The payer of a deposit pays it in test mode; a paid one stays as it is.',
  hints: { ...adding, idempotentHint: true },
  input: z.object({ id: id('dep') }),
  result: record,
  async run({ gateway }, { id: given }) {
    const deposit = await gateway.deposits.get(given);
    return deposit.status === 'PAID' || deposit.status === 'REFUNDED' ? deposit : gateway.test.deposits.pay(given);
  },
});

export const redeliver = tool({
  name: 'redeliver',
  title: 'Deliver an event again',
  description: 'Test keys alone. Sends a delivery to its receiver once more, signed anew.',
  hints: { ...adding, openWorldHint: true },
  input: z.object({ id: id('dlv').describe('The id of the delivery.') }),
  result: record,
  run: async ({ gateway }, { id: given }) => gateway.deliveries.redeliver(given),
});

type Happen = (gateway: Gateway, deposit: string) => Promise<unknown>;

const dispute: Happen = async ({ test }, deposit) => {
  await test.deposits.pay(deposit);
  return test.deposits.dispute(deposit);
};
const decided =
  (result: 'won' | 'lost'): Happen =>
  async (gateway, deposit) => {
    const { id: opened } = (await dispute(gateway, deposit)) as { readonly id: string };
    return gateway.test.disputes.resolve(opened, { result });
  };

/** How each event is made to happen, after a deposit was created. Those of payouts and refunds are not for this server. */
const triggers = {
  'deposit.canceled': async ({ deposits }: Gateway, deposit: string) => deposits.cancel(deposit),
  'deposit.expired': async ({ test }: Gateway, deposit: string) => test.deposits.expire(deposit),
  'deposit.paid': async ({ test }: Gateway, deposit: string) => test.deposits.pay(deposit),
  'deposit.pending': async () => undefined,
  'med.lost': decided('lost'),
  'med.opened': dispute,
  'med.won': decided('won'),
} as const satisfies Record<string, Happen>;

const names = Object.keys(triggers) as (keyof typeof triggers)[];

export const triggerEvent = tool({
  name: 'trigger_event',
  title: 'Make an event happen',
  description:
    'Test keys alone. Creates a deposit in test mode and makes the event really happen to it, so that webhooks receive it. Events of payouts and refunds are not among them.',
  hints: { ...adding, openWorldHint: true },
  input: z.object({ event: z.enum(names), amount_cents: amount.default(1_000) }),
  result: z.looseObject({ event: z.enum(names), deposit_id: z.string() }),
  async run({ gateway }, { event, amount_cents }) {
    const deposit = await gateway.deposits.create({ amount_cents, external_id: `mcp-${randomUUID()}` });
    const happen: Happen = triggers[event];
    const last = await happen(gateway, deposit.id);
    return { event, deposit_id: deposit.id, record: last ?? deposit };
  },
});
