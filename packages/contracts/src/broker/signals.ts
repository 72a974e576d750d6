import { accountsChangedSignal, keysChangedSignal, keysRevokedSignal, keysSpentSignal } from '#src/accounts/signals.ts';
import { providersChangedSignal } from '#src/deposits/signals.ts';
import { peopleChangedSignal, sessionsRevokedSignal } from '#src/identity/signals.ts';
import { ledgerCommand } from '#src/ledger/command.ts';
import { backlogSignals } from '#src/messages/backlog.ts';
import type { ServiceName } from '#src/messages/define.ts';
import { eventsLoggedSignal } from '#src/webhooks/signals.ts';

/** A core NATS subject for hints, with who may send and who may hear them. */
export interface SignalContract {
  readonly subject: string;
  readonly publishers: readonly ServiceName[];
  readonly subscribers: readonly ServiceName[];
}

const amongGateways = (subject: string): SignalContract => ({
  subject,
  publishers: ['api-gateway'],
  subscribers: ['api-gateway'],
});

const fromIdentity = (subject: string): SignalContract => ({
  subject,
  publishers: ['identity'],
  subscribers: ['api-gateway'],
});

/** Every signal of the product. The broker's permissions are made of it. */
export const signals: readonly SignalContract[] = [
  amongGateways(keysRevokedSignal),
  amongGateways(keysChangedSignal),
  amongGateways(accountsChangedSignal),
  amongGateways(keysSpentSignal),
  fromIdentity(sessionsRevokedSignal),
  fromIdentity(peopleChangedSignal),
  { subject: eventsLoggedSignal, publishers: ['webhooks'], subscribers: ['api-gateway'] },
  { subject: providersChangedSignal, publishers: ['deposits'], subscribers: ['deposits', 'payouts'] },
  {
    subject: backlogSignals,
    publishers: [ledgerCommand.owner],
    subscribers: [...new Set(Object.values(ledgerCommand.senders))].sort(),
  },
];
