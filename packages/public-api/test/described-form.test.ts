import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { conversionRequestSchema, describedForm, quoteRequestSchema, settlePayoutRequests } from '#src/index.ts';

const currency = fc.constantFrom('BRL', 'USDT', 'EUR', null, undefined);
const amount = fc.constantFrom(0, 1, 1_990, null, undefined, '5');
const id = fc.constantFrom('', 'qte_1', null, undefined);
const reference = fc.constantFrom('order-1', '', undefined);

/** Bodies of which every member is right, wrong, null or missing. */
const bodies: Readonly<Record<string, [z.ZodType, fc.Arbitrary<object>]>> = {
  quote: [quoteRequestSchema, fc.record({ from: currency, to: currency, amount, target_amount: amount })],
  conversion: [
    conversionRequestSchema,
    fc.record({ external_id: reference, quote_id: id, from: currency, to: currency, amount }),
  ],
  'result in 0.1': [
    settlePayoutRequests['0.1'],
    fc.record({ result: fc.constantFrom('paid', 'failed', 'returned', 'lost'), amount_cents: amount }),
  ],
  'result in 1.0': [
    settlePayoutRequests['1.0'],
    fc.record({ result: fc.constantFrom('paid', 'failed', 'returned', 'lost'), amount }),
  ],
};

test.each(Object.entries(bodies))(
  'a body is accepted as a %s when its described form accepts it',
  (_name, [schema, body]) => {
    const form = describedForm(schema);
    expect(form).not.toBe(schema);
    let accepted = 0;
    fc.assert(
      fc.property(body, (value) => {
        const isAccepted = schema.safeParse(value).success;
        if (isAccepted) accepted += 1;
        expect([isAccepted, value]).toEqual([form.safeParse(value).success, value]);
      }),
      { numRuns: 2_000, seed: 1 },
    );
    expect(accepted).toBeGreaterThan(20);
  },
);
