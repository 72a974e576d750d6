import { accessOf, clientOf, pixApi } from '#src/bacen/dialect.ts';
import { bacenMessages } from '#src/bacen/notices.ts';
import type { BankEvent, Message } from '#src/bank/bank-event.ts';
import type { Dialect } from '#src/bank/bank.ts';
import type { Config } from '#src/config.ts';
import { presentSentNotice } from '#src/efi/present-sent.ts';
import { mountEfi } from '#src/efi/routes.ts';

/** An account at Efí: the Pix API of Banco Central, with Efí's payouts, balance and infractions beside it. */
export function efiDialect(config: Config): Dialect {
  const account = { dialect: 'efi', path: '', client: clientOf(config) } as const;
  return {
    ...pixApi(account, mountEfi),
    messagesOf: async (tx, event) => [...(await bacenMessages(tx, event)), ...sentMessages(event)],
    providerConfig: (publicUrl) => ({
      kind: 'efi',
      id: 'efi',
      ...accessOf(config, account, publicUrl),
      payingKey: config.PAYING_KEY,
    }),
  };
}

function sentMessages(event: BankEvent): Message[] {
  if (event.kind !== 'transfer' && event.kind !== 'transfer-return') return [];
  const { transfer, returns } = event;
  return [{ topic: String(transfer.details['payingKey']), body: { pix: [presentSentNotice(transfer, returns)] } }];
}
