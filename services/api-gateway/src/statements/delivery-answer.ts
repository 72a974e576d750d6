import type { z } from 'zod';
import { listDeliveries, listWebhooks } from '@gateway/contracts/webhooks';
import { callRpc, type TimedBus } from '@gateway/messaging';
import {
  type deliveriesQuerySchema,
  deliveryResourceSchema,
  presentDelivery,
  presentWebhook,
  webhookResourceSchema,
} from '@gateway/public-api';
import type { Answer } from '#src/http/endpoint.ts';
import type { Owner } from '#src/statements/entry-details.ts';
import { answerPage, type PageCall } from '#src/statements/list-answer.ts';

/** The webhooks of an account in an environment. */
export async function answerWebhooks(call: PageCall, bus: TimedBus, owner: Owner): Promise<Answer> {
  return await answerPage(call, bus, {
    name: 'webhooks',
    schema: webhookResourceSchema,
    page: async (asked, page) => {
      const { webhooks, nextCursor } = await callRpc(asked, listWebhooks, { ...owner, ...page });
      return { data: webhooks.map(presentWebhook), nextCursor };
    },
  });
}

interface DeliveriesCall extends PageCall {
  readonly query: z.output<typeof deliveriesQuerySchema>;
}

/** What was sent to one webhook. */
export async function answerWebhookDeliveries(
  call: DeliveriesCall,
  bus: TimedBus,
  webhook: Owner & { readonly webhookId: string },
): Promise<Answer> {
  const { status, event, data_id: dataId } = call.query;
  return await answerPage(call, bus, {
    name: 'deliveries',
    schema: deliveryResourceSchema,
    page: async (asked, page) => {
      const request = { ...webhook, status, event, dataId, ...page };
      const { deliveries, nextCursor } = await callRpc(asked, listDeliveries, request);
      return { data: deliveries.map(presentDelivery), nextCursor };
    },
  });
}
