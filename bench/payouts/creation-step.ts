import type { LoadStep } from '../load/load-job.ts';

export const amountCents = 100;
/** More than a run can spend. */
export const fundsCents = 1_000_000_000;

/** A payout as merchants send it. */
export const creationStep: LoadStep = {
  method: 'POST',
  path: '/v1/payouts',
  body: JSON.stringify({
    amount_cents: amountCents,
    external_id: '{n}',
    pix_key: 'maria@example.com',
    pix_key_type: 'email',
    recipient: { name: 'Maria da Silva', document: '52998224725' },
    kind: 'PLAYER_PAYOUT',
  }),
  expect: 201,
};
