import { createHmac } from 'node:crypto';
import { usualPayers } from '#src/account/received-payment.ts';
import type { Dialect, Unsigned } from '#src/bank/bank.ts';
import type { Config } from '#src/config.ts';
import { speiDialect as name, trackingKey } from '#src/spei/bank.ts';
import { speiMessages } from '#src/spei/notices.ts';
import { mountSpei } from '#src/spei/routes.ts';

/** An account at a SPEI provider. */
export function speiDialect(config: Config): Dialect {
  const { SPEI_API_KEY: apiKey, SPEI_NOTIFICATION_SECRET: secret } = config;
  return {
    name,
    usualPayer: usualPayers.spei,
    completesWhenCovered: true,
    paymentId: () => trackingKey('PAG'),
    returnId: () => trackingKey('DEV'),
    messagesOf: (_tx, event) => speiMessages(event),
    notificationUrl: (registered) => registered,
    sign: (notification) => ({ url: notification.url, headers: signatureOf(notification, secret) }),
    mount: (app, { bank, held, logger }) => mountSpei(app, { bank: { ...bank, apiKey }, held, logger }),
    providerConfig: (publicUrl) => ({
      kind: 'spei',
      id: 'spei',
      baseUrl: `${publicUrl}/spei/v1`,
      apiKey,
      notificationSecret: secret,
    }),
  };
}

/** Only a secret of ours signs here, so another customer's notification is signed with another one. */
function signatureOf({ body, signing }: Unsigned, secret: string): Record<string, string> {
  if (signing === 'none') return {};
  const signed = signing === 'wrong' ? `${body} ` : body;
  const digest = createHmac('sha256', secret).update(signed).digest('hex');
  return { 'x-spei-signature': `sha256=${signing === 'platform' ? digest.replace(/./g, '0') : digest}` };
}
