/** One JetStream stream: a durable log of one owner's messages. */
export interface StreamContract {
  readonly name: string;
  readonly subjects: readonly string[];
  /** How long a message is kept; everything that matters is in PostgreSQL long before. */
  readonly maxAgeMs: number;
  /** Window in which JetStream drops a repeated Nats-Msg-Id. An optimisation only. */
  readonly duplicateWindowMs: number;
  /** Durables that read all of it: its owner keeps each message until they have. Nobody, where nothing is said. */
  readonly readers?: readonly string[];
}

const dayMs = 86_400_000;
const duplicateWindowMs = 120_000;

/** Every stream of the product, one per owner of events and one per receiver of commands. */
export const streams = {
  depositsEvents: {
    name: 'EVENTS_DEPOSITS',
    subjects: ['event.deposits.>'],
    maxAgeMs: 7 * dayMs,
    duplicateWindowMs,
    readers: ['webhooks-deposits'],
  },
  payoutsEvents: {
    name: 'EVENTS_PAYOUTS',
    subjects: ['event.payouts.>'],
    maxAgeMs: 7 * dayMs,
    duplicateWindowMs,
    readers: ['webhooks-payouts'],
  },
  ledgerEvents: {
    name: 'EVENTS_LEDGER',
    subjects: ['event.ledger.>'],
    maxAgeMs: 7 * dayMs,
    duplicateWindowMs,
    readers: ['webhooks-ledger'],
  },
  webhooksEvents: {
    name: 'EVENTS_WEBHOOKS',
    subjects: ['event.webhooks.>'],
    maxAgeMs: 7 * dayMs,
    duplicateWindowMs,
  },
  /** Owned by the gateway, which stores what providers tell it before it answers them. */
  providerNotifications: {
    name: 'PROVIDER_NOTIFICATIONS',
    subjects: ['provider.>'],
    maxAgeMs: 7 * dayMs,
    duplicateWindowMs,
  },
  ledgerCommandsLive: {
    name: 'COMMANDS_LEDGER_LIVE_0',
    subjects: ['command.ledger.live.0.>'],
    maxAgeMs: 7 * dayMs,
    duplicateWindowMs,
  },
  ledgerCommandsTest: {
    name: 'COMMANDS_LEDGER_TEST_0',
    subjects: ['command.ledger.test.0.>'],
    maxAgeMs: 7 * dayMs,
    duplicateWindowMs,
  },
} as const satisfies Record<string, StreamContract>;
