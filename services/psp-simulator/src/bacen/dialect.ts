import { usualPayers } from '#src/account/received-payment.ts';
import { endToEndId, returnId } from '#src/account/spi-ids.ts';
import type { BacenAccount } from '#src/bacen/bank.ts';
import { bacenMessages } from '#src/bacen/notices.ts';
import { mountBacen, type OwnRoutes } from '#src/bacen/routes.ts';
import { payerIspb, type Dialect, type Unsigned } from '#src/bank/bank.ts';
import type { Config } from '#src/config.ts';

/** An account at a provider that serves the Pix API of Banco Central alone: no payouts, no balance, no lists of disputes. */
export function bacenDialect(config: Config): Dialect {
  const account = { dialect: 'bacen', path: '/bacen', client: clientOf(config) } as const;
  return {
    ...pixApi(account),
    providerConfig: (publicUrl) => ({ kind: 'bacen', id: 'bacen', ...accessOf(config, account, publicUrl, '/v2') }),
  };
}

/** What accounts have in common at providers that serve the Pix API, with what one of them adds to it. */
export function pixApi(account: BacenAccount, mountOwn?: OwnRoutes): Omit<Dialect, 'providerConfig'> {
  return {
    name: account.dialect,
    usualPayer: usualPayers.pix,
    completesWhenCovered: false,
    returnsInParts: true,
    paymentId: (at) => endToEndId(payerIspb, at),
    returnId: (at) => returnId(payerIspb, at),
    messagesOf: bacenMessages,
    notificationUrl: (registered) => `${registered}/pix`,
    sign: (notification) => ({ url: addressOf(notification), headers: {} }),
    mount: (app, { bank, held, logger }) => mountBacen(app, { bank: { ...bank, account }, held, logger }, mountOwn),
  };
}

export function clientOf(config: Config): BacenAccount['client'] {
  return { id: config.BACEN_CLIENT_ID, secret: config.BACEN_CLIENT_SECRET };
}

/** How a gateway reaches the account; the adapter of Efí adds `/v2` by itself. */
export function accessOf(config: Config, { path, client }: BacenAccount, publicUrl: string, api = ''): object {
  return {
    baseUrl: `${publicUrl}${path}${api}`,
    tokenUrl: `${publicUrl}${path}/oauth/token`,
    clientId: client.id,
    clientSecret: client.secret,
    receivingKey: config.RECEIVING_KEY,
    notifications: { secret: config.NOTIFICATION_SECRET },
  };
}

/** The Pix API has no signatures: a notification is a hint, and what it proves is a secret in its address. */
function addressOf({ url, signing }: Unsigned): string {
  if (signing === 'ours' || signing === 'platform') return url;
  const address = new URL(url);
  if (signing === 'none') address.search = '';
  else address.search = address.search.replace(/hmac=[^&/]*/, 'hmac=wrong');
  return address.href;
}
