import type { EventName } from '@gateway/sdk/webhooks';
import { magicKeys } from '@gateway/sdk/testing';
import { externalId, fundFor, type Made, newDeposit, newPayout, paidDeposit, type Stage } from './stage.ts';

type Recipe = (stage: Stage) => Promise<Made>;

/** By what calls of test mode each event really happens. An event without a recipe does not compile. */
export const recipes: Readonly<Record<EventName, Recipe>> = {
  'deposit.pending': async (stage) => ofDeposit(await newDeposit(stage)),
  'deposit.partially_paid': async ({ beta, overrides }) => {
    const asked = { amount: 20_000, currency: 'MXN', external_id: externalId(), ...overrides } as const;
    const { id } = await beta.deposits.create(asked);
    await beta.test.deposits.pay(id, { amount: Math.max(1, Math.floor(asked.amount / 2)) });
    return ofDeposit({ id });
  },
  'deposit.paid': async (stage) => ofDeposit(await paidDeposit(stage)),
  'deposit.expired': async (stage) => {
    const { id } = await newDeposit(stage);
    return ofDeposit(await stage.gateway.test.deposits.expire(id));
  },
  'deposit.canceled': async (stage) => {
    const { id } = await newDeposit(stage);
    return ofDeposit(await stage.gateway.deposits.cancel(id));
  },
  'deposit.refunded': async (stage) => {
    const { id } = await paidDeposit(stage);
    await stage.gateway.test.balance.release();
    const refund = await stage.gateway.deposits.refunds.create(id, { external_id: externalId() });
    return { about: id, ids: { deposit: id, refund: refund.id } };
  },
  'payout.pending': async (stage) => newPayout(stage, magicKeys.approve),
  'payout.processing': async (stage) => newPayout(stage, magicKeys.hold),
  'payout.paid': async (stage) => settled(stage, 'paid'),
  'payout.failed': async (stage) => settled(stage, 'failed'),
  'payout.canceled': async (stage) => {
    const made = await newPayout(stage, magicKeys.approve);
    await stage.gateway.payouts.cancel(made.about);
    return made;
  },
  'payout.returned': async (stage) => settled(stage, 'returned'),
  'med.opened': async (stage) => disputed(stage),
  'med.under_analysis': async (stage) => {
    const made = await disputed(stage);
    await stage.gateway.disputes.submitEvidence(made.about, { text: 'The order was delivered.' });
    return made;
  },
  'med.won': async (stage) => decided(stage, 'won'),
  'med.lost': async (stage) => decided(stage, 'lost'),
  'refund.done': async (stage) => refunded(stage, {}),
  'refund.failed': async (stage) => refunded(stage, { reason: magicKeys.refuse }),
  'conversion.completed': async (stage) => {
    const deposit = await fundFor(stage);
    const asked = { from: 'BRL', to: 'USDT', amount: 10_000, external_id: externalId(), ...stage.overrides } as const;
    const { id } = await stage.gateway.conversions.create(asked);
    return { about: id, ids: { deposit, conversion: id } };
  },
  'export.completed': async ({ gateway, overrides }) => {
    const today = new Date().toISOString().slice(0, 10);
    const period = { currency: 'BRL', from: today, to: today, timezone: 'UTC' } as const;
    const asked = { kind: 'deposits', format: 'csv', external_id: externalId(), ...period, ...overrides } as const;
    const { id } = await gateway.exports.create(asked);
    return { about: id, ids: { export: id } };
  },
  'webhook.failing': async (stage) => failingWebhook(stage, 'failing'),
  'webhook.disabled': async (stage) => failingWebhook(stage, 'disabled'),
};

export const eventNames = Object.keys(recipes) as EventName[];

const ofDeposit = ({ id }: { readonly id: string }): Made => ({ about: id, ids: { deposit: id } });

async function settled(stage: Stage, result: 'paid' | 'failed' | 'returned'): Promise<Made> {
  const made = await newPayout(stage, magicKeys.hold);
  await stage.gateway.test.payouts.settle(made.about, { result });
  return made;
}

async function disputed(stage: Stage): Promise<Made> {
  const { id: deposit } = await paidDeposit(stage);
  const { id } = await stage.gateway.test.deposits.dispute(deposit);
  return { about: id, ids: { deposit, dispute: id } };
}

async function decided(stage: Stage, result: 'won' | 'lost'): Promise<Made> {
  const made = await disputed(stage);
  await stage.gateway.test.disputes.resolve(made.about, { result });
  return made;
}

async function refunded(stage: Stage, members: { readonly reason?: string }): Promise<Made> {
  const { id: deposit } = await paidDeposit(stage, false);
  await stage.gateway.test.balance.release();
  const asked = { amount_cents: 1_000, external_id: externalId(), ...members, ...stage.overrides };
  const { id } = await stage.gateway.deposits.refunds.create(deposit, asked);
  return { about: id, ids: { deposit, refund: id } };
}

/** A webhook that is registered for this alone and removed again; its name leads nowhere. */
async function failingWebhook({ gateway, overrides }: Stage, result: 'failing' | 'disabled'): Promise<Made> {
  const url = 'https://gateway-cli.example.com/hooks';
  const { id } = await gateway.webhooks.create({
    name: 'gateway trigger',
    url,
    events: ['webhook.failing'],
    ...overrides,
  });
  try {
    await gateway.test.webhooks.fail(id, { result });
  } finally {
    await gateway.webhooks.delete(id);
  }
  return { about: id, ids: { webhook: id } };
}
