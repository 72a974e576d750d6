import { z } from 'zod';
import { environmentSchema, type Environment } from '@gateway/contracts/values';
import type { Delivery, DeliveryDetail } from '@gateway/contracts/webhooks';
import {
  deliveryDetailResourceSchema,
  deliveryResourceSchema,
  presentDelivery,
  presentDeliveryDetail,
} from '#src/v0_1/webhook-resource.ts';

const ownerMembers = { account_id: z.string(), environment: environmentSchema };

/** A delivery as operators see it: with the account whose it is. */
export const operatorDeliveryResourceSchema = deliveryResourceSchema.extend(ownerMembers);
export const operatorDeliveryDetailResourceSchema = deliveryDetailResourceSchema.extend(ownerMembers);

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
