import type { Gateway } from '@gateway/sdk';
import type { SessionData } from './session-data.ts';

/** Far more than a payment is sent back in. */
const refundsMax = 1_000;

/**
 * Sends a part of a payment back, once. Medusa forgets a refund whose answer did not come and asks again under another id,
 * so a refund of the same amount that Medusa does not know of is this one: it is taken over, not made a second time.
 *
 * @param externalId the id of Medusa's refund
 * @returns the `external_id` at the gateway
 */
export async function refundCharge(
  client: Gateway,
  session: SessionData,
  amountCents: number,
  externalId: string,
): Promise<string> {
  const made = await client.deposits.refunds.list(session.deposit_id).toArray({ max: refundsMax });
  const forgotten = made.find(
    (refund) =>
      refund.amount_cents === amountCents &&
      refund.status !== 'FAILED' &&
      refund.external_id.startsWith('ref_') &&
      !session.refunds.includes(refund.external_id),
  );
  if (forgotten !== undefined) return forgotten.external_id;
  const refund = await client.deposits.refunds.create(session.deposit_id, {
    amount_cents: amountCents,
    external_id: externalId,
  });
  return refund.external_id;
}
