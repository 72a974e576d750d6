import { randomUUID } from 'node:crypto';
import type { Gateway } from '@gateway/sdk';

export interface Seeded {
  readonly deposits: number;
  readonly payouts: number;
  /** What the external ids of the records begin with. */
  readonly external_ids: string;
}

const names = ['Ana Souza', 'Bruno Lima', 'Carla Dias', 'Davi Rocha', 'Elisa Melo'];
const centsMin = 500;
const centsStep = 137;
const payoutCents = 700;

/** Fills an account in test mode with records in several states: of deposits every fourth stays unpaid. */
export async function seed(
  gateway: Gateway,
  { deposits, payouts }: Pick<Seeded, 'deposits' | 'payouts'>,
  signal: AbortSignal,
): Promise<Seeded> {
  const prefix = `seed-${randomUUID().slice(0, 8)}`;
  const options = { signal };
  for (let index = 0; index < deposits; index += 1) {
    const payer = { name: names[index % names.length] ?? '' };
    const amount_cents = centsMin + index * centsStep;
    const asked = { amount_cents, external_id: `${prefix}-d${index}`, payer };
    const { id } = await gateway.deposits.create(asked, options);
    if (index % 4 !== 3) await gateway.test.deposits.pay(id, undefined, options);
  }
  if (payouts > 0) {
    const funds = { amount_cents: payouts * payoutCents * 2, external_id: `${prefix}-funds` };
    const { id } = await gateway.deposits.create(funds, options);
    await gateway.test.deposits.pay(id, undefined, options);
    await gateway.test.balance.release(options);
  }
  for (let index = 0; index < payouts; index += 1) {
    const recipient = { name: names[index % names.length] ?? '', document: '52998224725' };
    const pix = { pix_key: `recipient-${index}@example.com`, pix_key_type: 'email', recipient } as const;
    await gateway.payouts.create({ amount_cents: payoutCents, external_id: `${prefix}-p${index}`, ...pix }, options);
  }
  return { deposits, payouts, external_ids: prefix };
}
