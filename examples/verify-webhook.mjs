import { createHmac, timingSafeEqual } from 'node:crypto';

/** True when a request was sent by the gateway: `headers` in lower case, `body` the raw bytes as they came. */
export function isFromGateway(headers, body, secret, nowMs = Date.now()) {
  const timestamp = headers['x-gateway-timestamp'] ?? '';
  if (!/^\d+$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > 300) return false;
  const expected = Buffer.from(
    `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`,
  );
  // While a rotation lasts, the new secret verifies the second header.
  return ['x-gateway-signature', 'x-gateway-signature-next'].some((name) => {
    const given = Buffer.from(headers[name] ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
