import { createHmac, createSecretKey } from 'node:crypto';
import { standardKeyOf } from '#src/endpoints/secret.ts';

/**
 * `X-Gateway-Signature` (spec 6): `sha256=` and the hex HMAC-SHA256 over `{timestamp}.{raw body}`. The key is the UTF-8
 * bytes of the whole secret, prefix included, nothing decoded (api.md 2).
 */
export function gatewaySignature(secret: string, timestamp: number, body: Uint8Array): string {
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return `sha256=${digest}`;
}

/** One entry of `webhook-signature` (Standard Webhooks): `v1,` and the base64 HMAC-SHA256 over `{id}.{timestamp}.{body}`. */
export function standardSignature(secret: string, id: string, timestamp: number, body: Uint8Array): string {
  const digest = createHmac('sha256', createSecretKey(standardKeyOf(secret)))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64');
  return `v1,${digest}`;
}
