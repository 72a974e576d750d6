import { createHmac } from 'node:crypto';
import type { ProviderConfig, ProviderNotification } from '@gateway/providers';

/** A body as the provider sends it to our account. */
export function signedNotification(config: ProviderConfig, body: unknown): ProviderNotification {
  const rawBody = Buffer.from(JSON.stringify(body));
  const source = { rawBody, pathSuffix: '', remoteIp: '127.0.0.1', receivedAt: new Date() };
  switch (config.kind) {
    case 'woovi': {
      const signature = createHmac('sha1', config.webhookSecrets[0] ?? '')
        .update(rawBody)
        .digest('base64');
      return { ...source, query: {}, headers: { 'x-openpix-signature': signature } };
    }
    case 'fintoc': {
      const signature = createHmac('sha256', config.webhookSecrets[0] ?? '')
        .update('1795000000.')
        .update(rawBody)
        .digest('hex');
      return { ...source, query: {}, headers: { 'fintoc-signature': `t=1795000000,v1=${signature}` } };
    }
    case 'bacen':
    case 'efi':
      return { ...source, query: { hmac: config.notifications.secret ?? '' }, headers: {} };
  }
}
