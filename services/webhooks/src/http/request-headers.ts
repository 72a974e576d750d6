import { gatewaySignature, standardSignature } from '#src/endpoints/sign.ts';

export interface SignedRequest {
  readonly secret: string;
  /** During a rotation: the secret that takes over when it ends. */
  readonly nextSecret?: string | undefined;
  readonly eventId: string;
  readonly deliveryId: string;
  /** From 1. */
  readonly attempt: number;
  /** Unix seconds; the time of the attempt, since receivers refuse old ones. */
  readonly timestamp: number;
  readonly body: Uint8Array;
}

/** The headers of a delivery (spec 6, api.md 2): ours, and those of Standard Webhooks beside them. */
export function requestHeaders(request: SignedRequest): Readonly<Record<string, string>> {
  const { secret, nextSecret, eventId, deliveryId, attempt, timestamp, body } = request;
  return {
    'content-type': 'application/json',
    'user-agent': 'Gateway-Webhooks/1',
    // Compressed responses are not wanted: they would be stored unread, or unpacked without a bound.
    'accept-encoding': 'identity',
    'X-Gateway-Timestamp': String(timestamp),
    'X-Gateway-Signature': gatewaySignature(secret, timestamp, body),
    // A header of its own: receivers compare the main one as a whole, and a list would break them.
    ...(nextSecret === undefined ? {} : { 'X-Gateway-Signature-Next': gatewaySignature(nextSecret, timestamp, body) }),
    'X-Gateway-Event-Id': eventId,
    'X-Gateway-Delivery-Id': deliveryId,
    'X-Gateway-Attempt': String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': [secret, ...(nextSecret === undefined ? [] : [nextSecret])]
      .map((each) => standardSignature(each, eventId, timestamp, body))
      .join(' '),
  };
}
