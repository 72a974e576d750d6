import { createHmac } from 'node:crypto';
import { usualPayers } from '#src/account/received-payment.ts';
import type { Dialect, Unsigned } from '#src/bank/bank.ts';
import type { Config } from '#src/config.ts';
import { fintocAccount as name, trackingKey } from '#src/fintoc/bank.ts';
import type { CustomerKey } from '#src/fintoc/customer-key.ts';
import { fintocMessages } from '#src/fintoc/notices.ts';
import { mountFintoc } from '#src/fintoc/routes.ts';

/** An account at Fintoc, for SPEI in MXN: account numbers, transfers and webhooks of its Transfers API. */
export function fintocDialect(config: Config, { privateKeyPem, publicKey: customerPublicKey }: CustomerKey): Dialect {
  const { FINTOC_SECRET_KEY: secretKey, FINTOC_ACCOUNT_ID: accountId, FINTOC_WEBHOOK_SECRET: webhookSecret } = config;
  const account = { secretKey, accountId, webhookSecret, customerPublicKey };
  return {
    name,
    usualPayer: usualPayers.spei,
    completesWhenCovered: true,
    returnsInParts: false,
    paymentId: () => trackingKey('PAG'),
    returnId: () => trackingKey('DEV'),
    messagesOf: fintocMessages,
    notificationUrl: (registered) => registered,
    sign: (notification) => ({ url: notification.url, headers: signatureOf(notification, webhookSecret) }),
    mount: (app, { bank, held, logger }) => mountFintoc(app, { bank: { ...bank, ...account }, held, logger }),
    providerConfig: (publicUrl) => ({
      kind: 'fintoc',
      id: 'spei',
      baseUrl: `${publicUrl}/fintoc`,
      secretKey,
      accountId,
      jwsPrivateKey: privateKeyPem,
      webhookSecrets: [webhookSecret],
    }),
  };
}

/** Only a secret of our endpoint signs here, so another customer's notification is signed with another one. */
function signatureOf({ body, signing }: Unsigned, secret: string): Record<string, string> {
  if (signing === 'none') return {};
  const time = String(Math.floor(Date.now() / 1_000));
  const signed = signing === 'wrong' ? `${body} ` : body;
  const digest = createHmac('sha256', secret).update(`${time}.${signed}`).digest('hex');
  return { 'fintoc-signature': `t=${time},v1=${signing === 'platform' ? digest.replace(/./g, '0') : digest}` };
}
