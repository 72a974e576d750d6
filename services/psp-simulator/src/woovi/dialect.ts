import { createHmac, sign } from 'node:crypto';
import { usualPayers } from '#src/account/received-payment.ts';
import { endToEndId, returnId } from '#src/account/spi-ids.ts';
import { payerIspb, type Dialect, type Unsigned } from '#src/bank/bank.ts';
import type { Config } from '#src/config.ts';
import { wooviDialect as name } from '#src/woovi/bank.ts';
import { wooviMessages } from '#src/woovi/notices.ts';
import { mountWoovi } from '#src/woovi/routes.ts';
import type { SigningKey } from '#src/woovi/signing-key.ts';

/** An account at Woovi, whose notifications are signed with a key for all its customers and one of the registration. */
export function wooviDialect(config: Config, { privateKey, publicKeyPem }: SigningKey): Dialect {
  const { WOOVI_APP_ID: appId, WOOVI_ACCOUNT_ID: accountId, WOOVI_WEBHOOK_SECRET: webhookSecret } = config;
  const account = { appId, accountId, webhookSecret, publicKeyPem };
  return {
    name,
    usualPayer: usualPayers.pix,
    completesWhenCovered: false,
    returnsInParts: true,
    paymentId: (at) => endToEndId(payerIspb, at),
    returnId: (at) => returnId(payerIspb, at),
    messagesOf: (_tx, event) => wooviMessages(event),
    notificationUrl: (registered) => registered,
    sign: (notification) => ({ url: notification.url, headers: signaturesOf(notification, privateKey) }),
    mount: (app, { bank, held, logger }) => mountWoovi(app, { bank: { ...bank, ...account }, held, logger }),
    providerConfig: (publicUrl) => ({
      kind: 'woovi',
      id: 'woovi',
      baseUrl: publicUrl,
      appId,
      accountId,
      ownerCheck: true,
      publicKeys: [publicKeyPem],
      webhookSecrets: [webhookSecret],
    }),
  };
}

function signaturesOf(
  { body, secret, signing }: Unsigned,
  platformKey: SigningKey['privateKey'],
): Record<string, string> {
  if (signing === 'none') return {};
  const signed = signing === 'wrong' ? `${body} ` : body;
  const platform = sign('sha256', Buffer.from(signed), platformKey).toString('base64');
  if (secret === null || signing === 'platform') return { 'x-webhook-signature': platform };
  const own = createHmac('sha1', secret).update(signed).digest('base64');
  return { 'x-webhook-signature': platform, 'x-openpix-signature': own };
}
