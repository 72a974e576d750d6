import { usualPayers } from '#src/account/received-payment.ts';
import { endToEndId, returnId } from '#src/account/spi-ids.ts';
import { bacenDialect } from '#src/bacen/bank.ts';
import { bacenMessages } from '#src/bacen/notices.ts';
import { mountBacen } from '#src/bacen/routes.ts';
import type { BankEvent, Message } from '#src/bank/bank-event.ts';
import { payerIspb, type Dialect, type Unsigned } from '#src/bank/bank.ts';
import type { Config } from '#src/config.ts';
import { presentSentNotice } from '#src/efi/present-sent.ts';
import { mountEfi } from '#src/efi/routes.ts';

/** An account at Efí: the Pix API of Banco Central, with Efí's payouts, balance and infractions beside it. */
export function efiDialect(config: Config): Dialect {
  const client = { id: config.BACEN_CLIENT_ID, secret: config.BACEN_CLIENT_SECRET };
  return {
    name: bacenDialect,
    usualPayer: usualPayers.pix,
    completesWhenCovered: false,
    paymentId: (at) => endToEndId(payerIspb, at),
    returnId: (at) => returnId(payerIspb, at),
    messagesOf: async (tx, event) => [...(await bacenMessages(tx, event)), ...sentMessages(event)],
    notificationUrl: (registered) => `${registered}/pix`,
    sign: (notification) => ({ url: addressOf(notification), headers: {} }),
    mount: (app, { bank, held, logger }) => mountBacen(app, { bank: { ...bank, client }, held, logger }, mountEfi),
    providerConfig: (publicUrl) => ({
      kind: 'efi',
      id: 'efi',
      baseUrl: publicUrl,
      tokenUrl: `${publicUrl}/oauth/token`,
      clientId: client.id,
      clientSecret: client.secret,
      receivingKey: config.RECEIVING_KEY,
      payingKey: config.PAYING_KEY,
      notifications: { secret: config.NOTIFICATION_SECRET },
    }),
  };
}

function sentMessages(event: BankEvent): Message[] {
  if (event.kind !== 'transfer' && event.kind !== 'transfer-return') return [];
  const { transfer, returns } = event;
  return [{ topic: String(transfer.details['payingKey']), body: { pix: [presentSentNotice(transfer, returns)] } }];
}

/** The Pix API has no signatures: there the notification is a hint, and what it proves is a secret in its address. */
function addressOf({ url, signing }: Unsigned): string {
  if (signing === 'ours' || signing === 'platform') return url;
  const address = new URL(url);
  if (signing === 'none') address.search = '';
  else address.search = address.search.replace(/hmac=[^&/]*/, 'hmac=wrong');
  return address.href;
}
