import { expect } from 'vitest';
import { connectBus } from '@gateway/messaging';
import { eventually, silentLogger } from '@gateway/test-kit';
import type { DescribedClient } from './described-client.ts';

type Call = ReturnType<DescribedClient['as']>;

/** Two messages that webhooks cannot read: one is tried again, the other discarded by two operators. */
export async function everyDeadLetterOperation(by: { ana: Call; bruno: Call }, natsUrl: string): Promise<void> {
  const { ana, bruno } = by;
  for (const nth of [1, 2]) await spoilMessage(natsUrl, `spoilt-${String(nth)}`);
  const letters = await eventually(async () => {
    const { body } = await ana('GET /ops/dead-letters?status=WAITING&service=webhooks');
    expect(body.data).toHaveLength(2);
    return body.data as { id: string }[];
  });
  await ana(`GET /ops/dead-letters/${letters[0]!.id}`);
  expect((await ana(`POST /ops/dead-letters/${letters[0]!.id}/retry`)).body.status).toBe('WAITING');
  const discarding = await ana(`POST /ops/dead-letters/${letters[1]!.id}/discard`, { reason: 'made for this test' });
  await bruno(`POST /ops/approvals/${discarding.body.approval.id}/approve`);
}

async function spoilMessage(natsUrl: string, messageId: string): Promise<void> {
  const bus = await connectBus({ url: natsUrl, name: 'test', logger: silentLogger });
  await bus.publish('event.deposits.deposit.paid.v1', 'not json', { messageId, trace: {}, timeoutMs: 5_000 });
  await bus[Symbol.asyncDispose]();
}
