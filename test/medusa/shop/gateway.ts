/** The gateway of the test by plain calls, none of them by the provider's own code. */
const { GATEWAY_BASE_URL: baseUrl = '', GATEWAY_API_KEY: key = '', GATEWAY_API_SECRET: secret = '' } = process.env;
const webhook = process.env['GATEWAY_WEBHOOK_ID'] ?? '';

async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'x-api-key': key, 'x-api-secret': secret, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

export const gateway = {
  deposit: (id: string) => call('GET', `/v1/deposits/${id}`),
  charge: (metadata: object) =>
    call('POST', '/v1/deposits', { amount_cents: 10_050, external_id: crypto.randomUUID(), metadata }),
  pay: (id: string) => call('POST', `/v1/test/deposits/${id}/pay`),
  expire: (id: string) => call('POST', `/v1/test/deposits/${id}/expire`),
  refund: (id: string, amount_cents: number, external_id: string) =>
    call('POST', `/v1/deposits/${id}/refunds`, { amount_cents, external_id }),
  refundsOf: async (id: string) => (await call('GET', `/v1/deposits/${id}/refunds`)).data,
  listen: (status: 'enabled' | 'disabled') => call('PATCH', `/v1/webhooks/${webhook}`, { status }),
  deliveriesOf: async (id: string) => (await call('GET', `/v1/webhooks/${webhook}/deliveries?data_id=${id}`)).data,
  redeliver: (delivery: string) => call('POST', `/v1/webhooks/${webhook}/deliveries/${delivery}/redeliver`),
};
