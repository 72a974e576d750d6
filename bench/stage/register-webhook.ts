import type { WebhookEvent } from '@gateway/contracts/webhooks';
import { webhookWithSecretSchema } from '@gateway/public-api';
import type { Stack } from '@gateway/local-stack';
import { callApi } from './call-api.ts';
import type { Merchant } from './merchants.ts';

/** @returns the endpoint's id */
export async function registerWebhook(
  { baseUrl }: Stack,
  { headers }: Merchant,
  { url, events }: { readonly url: string; readonly events: readonly WebhookEvent[] },
): Promise<string> {
  const body = { name: 'benchmark', url, events };
  return (await callApi({ method: 'POST', url: `${baseUrl}/v1/webhooks`, headers, body }, webhookWithSecretSchema)).id;
}
