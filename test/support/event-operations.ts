import { expect } from 'vitest';
import type { DescribedClient } from './described-client.ts';

/** Follows the payment of a deposit, which a webhook has received, through the event log of its account. */
export async function everyEventOperation(
  call: ReturnType<DescribedClient['as']>,
  depositId: string,
  webhookId: string,
): Promise<void> {
  const { data: events } = (await call(`GET /v1/events?event=deposit.paid&data_id=${depositId}`)).body;
  expect(events).toMatchObject([
    { event: 'deposit.paid', data_id: depositId, data: { id: depositId, status: 'PAID' } },
  ]);
  await call(`GET /v1/events/${events[0].id}`);
  const stream = await call(`GET /v1/events/stream?follow=false&after=${events[0].id}`);
  expect(stream.text).toMatch(/^retry: 2000\n\n(id: .+\nevent: .+\ndata: .+\n\n)*: caught up\n\n$/);
  expect((await call(`GET /v1/events/${events[0].id}/deliveries`)).body.data).not.toEqual([]);
  expect((await call(`POST /v1/events/${events[0].id}/deliver`, { webhook_id: webhookId })).status).toBe(202);
}
