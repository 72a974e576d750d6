import { createHmac, createSecretKey } from 'node:crypto';

/** In no use anywhere: readers and tests compute the signatures of the example with it. */
const secret = `whsec_${Buffer.from('an example that signs no delivery').toString('base64')}`;

/** A call of a webhook as it arrives, byte for byte. */
export interface SignedExample {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An event signed under a secret that is shown beside it, so that a receiver can be tried without a gateway. */
export function signedExampleOf(event: { readonly id: string; readonly created_at: number }): SignedExample {
  const body = JSON.stringify(event);
  const timestamp = String(event.created_at);
  // The two schemes sign different texts under different keys: the whole secret, and what its second half decodes to.
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const key = createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'));
  const standard = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64');
  return {
    secret,
    headers: {
      'X-Gateway-Timestamp': timestamp,
      'X-Gateway-Signature': `sha256=${digest}`,
      'X-Gateway-Event-Id': event.id,
      'X-Gateway-Delivery-Id': 'dlv_01k9z3m4v6t8x0a2c4e6g8jk09',
      'X-Gateway-Attempt': '1',
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${standard}`,
    },
    body,
  };
}
