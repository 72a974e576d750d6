import type { z } from 'zod';
import { environmentSchema, type Environment } from '@gateway/contracts/values';
import type { Delivery, DeliveryDetail } from '@gateway/contracts/webhooks';
import { recordId } from '#src/shared/members.ts';
import { presentDelivery, presentDeliveryDetail } from '#src/presenters/webhook.ts';
import { deliveryDetailResourceSchema, deliveryResourceSchema } from '#src/v0_1/webhook-resource.ts';

const ownerMembers = {
  account_id: recordId('account', 'The account whose event it is.'),
  environment: environmentSchema.describe('The environment of the record.'),
};

/** A delivery as operators see it: with the account whose it is. */
export const operatorDeliveryResourceSchema = deliveryResourceSchema
  .extend(ownerMembers)
  .meta({ id: 'OperatorDelivery', description: 'A delivery with the account whose it is.' });
export const operatorDeliveryDetailResourceSchema = deliveryDetailResourceSchema
  .extend(ownerMembers)
  .meta({ id: 'OperatorDeliveryDetail', description: 'A delivery with its account, its body and every call.' });

interface Owned {
  readonly accountId: string;
  readonly environment: Environment;
}

export function presentOperatorDelivery(delivery: Delivery & Owned): z.infer<typeof operatorDeliveryResourceSchema> {
  return { ...presentDelivery(delivery), account_id: delivery.accountId, environment: delivery.environment };
}

export function presentOperatorDeliveryDetail(
  delivery: DeliveryDetail & Owned,
): z.infer<typeof operatorDeliveryDetailResourceSchema> {
  return { ...presentDeliveryDetail(delivery), account_id: delivery.accountId, environment: delivery.environment };
}
