import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { webhookEventSchema } from '@gateway/contracts/webhooks';
import { merchantApi } from '#src/description/apis.ts';
import { describe as documentOf } from '#src/description/document.ts';
import type { SignedExample } from '#src/description/signed-example.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';

interface EventExample {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The state that the record of an event is in; the others report something else than a state. */
const states: Readonly<Record<string, string>> = {
  'deposit.pending': 'PENDING',
  'deposit.partially_paid': 'PENDING',
  'deposit.paid': 'PAID',
  'deposit.expired': 'EXPIRED',
  'deposit.canceled': 'FAILED',
  'deposit.refunded': 'REFUNDED',
  'payout.pending': 'PENDING',
  'payout.processing': 'PROCESSING',
  'payout.paid': 'PAID',
  'payout.failed': 'FAILED',
  'payout.canceled': 'REJECTED',
  'payout.returned': 'PAID',
  'med.opened': 'OPEN',
  'med.under_analysis': 'UNDER_ANALYSIS',
  'med.won': 'WON',
  'med.lost': 'LOST',
  'refund.done': 'DONE',
  'refund.failed': 'FAILED',
  'conversion.completed': 'COMPLETED',
  'export.completed': 'COMPLETED',
  'webhook.failing': 'enabled',
  'webhook.disabled': 'disabled',
};

describe.each(['0.1', '1.0'] as const)('the events of contract %s', (contract) => {
  const { webhooks = {} } = documentOf({
    api: merchantApi(contract),
    endpoints: merchantRoutes,
    urls: ['https://pay.example'],
  });
  const examples = Object.entries(webhooks).map(([event, { post }]) => {
    const [example] = Object.values(post.requestBody?.content['application/json']?.examples ?? {});
    return [event, example?.value as EventExample] as const;
  });

  test('have an example each, whose record is in the state that the event reports', () => {
    const shown = examples.map(([event, example]) => [event, example.event, example.data['status']]);
    expect(shown).toEqual(webhookEventSchema.options.map((event) => [event, event, states[event]]));
  });

  test('have a signed example, both of whose signatures hold under the secret beside it', () => {
    const post = webhooks['deposit.paid']?.post as unknown as { 'x-signed-example': SignedExample };
    const { secret, headers, body } = post['x-signed-example'];
    const timestamp = headers['X-Gateway-Timestamp'] ?? '';
    const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    expect(headers['X-Gateway-Signature']).toBe(`sha256=${digest}`);
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signed = `${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(JSON.parse(body)).toEqual(new Map(examples).get('deposit.paid'));
  });
});
