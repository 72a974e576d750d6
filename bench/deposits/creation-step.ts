import type { LoadStep } from '../load/load-job.ts';

export const amountCents = 1_500;

/** A charge as merchants send it: with its payer and a little metadata. */
export const creationStep: LoadStep = {
  method: 'POST',
  path: '/v1/deposits',
  body: JSON.stringify({
    amount_cents: amountCents,
    external_id: '{n}',
    payer: { name: 'Maria da Silva', email: 'maria@example.com', document: '52998224725' },
    metadata: { channel: 'app', campaign: 'november' },
  }),
  expect: 201,
};
