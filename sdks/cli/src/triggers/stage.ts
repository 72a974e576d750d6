import { randomUUID } from 'node:crypto';
import type { Answer, Gateway } from '@gateway/sdk';

/** What recipes of events work with. */
export interface Stage {
  readonly gateway: Gateway;
  /** The same key in contract 1.0. */
  readonly beta: Gateway<'1.0'>;
  /** Members of the record that the event is about, in place of those of the recipe. */
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** What a recipe has made. */
export interface Made {
  /** The id of the record that the event is about. */
  readonly about: string;
  /** Every record that was made, by what it is. */
  readonly ids: Readonly<Record<string, string>>;
}

type Deposit = Answer<'0.1', 'getDeposit'>;

const amountCents = 10_050;
/** Some cents more than payouts and conversions take, so that a fee is covered. */
const fundsCents = 1_000_000;

export function externalId(): string {
  return `cli-${randomUUID()}`;
}

export async function newDeposit({ gateway, overrides }: Stage, isSubject = true): Promise<Deposit> {
  const own = isSubject ? overrides : {};
  return gateway.deposits.create({ amount_cents: amountCents, external_id: externalId(), ...own });
}

/** A deposit that was paid, for what can happen after it. */
export async function paidDeposit(stage: Stage, isSubject = true): Promise<Deposit> {
  const { id } = await newDeposit(stage, isSubject);
  return stage.gateway.test.deposits.pay(id);
}

/** Puts money into the balance, as a payer would. */
async function fund({ gateway }: Stage, cents: number): Promise<string> {
  const { id } = await gateway.deposits.create({ amount_cents: cents, external_id: externalId() });
  await gateway.test.deposits.pay(id);
  await gateway.test.balance.release();
  return id;
}

/** Money for what an event needs, whatever amount was asked for. */
export async function fundFor(stage: Stage): Promise<string> {
  const asked = stage.overrides['amount_cents'] ?? stage.overrides['amount'];
  return fund(stage, fundsCents + (typeof asked === 'number' ? asked : 0));
}

/** A payout to one of the keys by which test mode decides what becomes of it, and the deposit that paid for it. */
export async function newPayout(stage: Stage, key: string): Promise<Made> {
  const deposit = await fundFor(stage);
  const { id } = await stage.gateway.payouts.create({
    amount_cents: amountCents,
    external_id: externalId(),
    pix_key: key,
    pix_key_type: 'email',
    recipient: { name: 'Maria da Silva', document: '52998224725' },
    ...stage.overrides,
  });
  return { about: id, ids: { payout: id, deposit } };
}
