// Each of these lines is a mistake that the compiler has to find.
import { Gateway } from '@gateway/sdk';
import type { VerifiedEvent } from '@gateway/sdk/webhooks';

export async function mistakes(current: Gateway, beta: Gateway<'1.0'>, event: VerifiedEvent): Promise<void> {
  // @ts-expect-error the external_id is missing
  await current.deposits.create({ amount_cents: 1 });
  // @ts-expect-error a member of contract 1.0
  await current.deposits.create({ amount: 1, external_id: 'a' });
  // @ts-expect-error a member of contract 0.1
  await beta.deposits.create({ amount_cents: 1, external_id: 'a' });
  // @ts-expect-error amounts are integers in cents, not text
  await current.deposits.create({ amount_cents: '1.00', external_id: 'a' });
  // @ts-expect-error no status of a deposit
  current.deposits.list({ status: 'PAYED' });
  const payout = { amount_cents: 1, external_id: 'a', pix_key: 'a', recipient: { name: 'a', document: 'b' } };
  // @ts-expect-error no kind of key
  await current.payouts.create({ ...payout, pix_key_type: 'iban' });
  const deposit = await current.deposits.get('dep_1');
  // @ts-expect-error a member of contract 1.0
  deposit.amount.toFixed();
  // @ts-expect-error only a returned payout has it
  if (event.event === 'deposit.paid') event.data.returned_cents.toFixed();
  if (event.event === 'payout.returned') event.data.returned_cents.toFixed();
  // A value that is added to an enumeration of answers compiles with programs of today.
  if (deposit.status === 'SETTLED_TWICE') return;
}
