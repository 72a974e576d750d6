import type { ServiceName } from '#src/messages/define.ts';

/** A durable consumer of a stream, and the service whose replicas share it. */
export interface StreamReader {
  readonly service: ServiceName;
  readonly durable: string;
}

/** One JetStream stream: a durable log of one owner's messages. */
export interface StreamContract {
  readonly name: string;
  /** Whose messages it carries, or who receives its commands. */
  readonly owner: ServiceName;
  readonly subjects: readonly string[];
  /** How long a message is kept; everything that matters is in PostgreSQL long before. */
  readonly maxAgeMs: number;
  /**
   * Its share of the broker's storage, so that none takes the place of another; a test holds the sum to what the broker
   * has.
   */
  readonly maxBytes: number;
  /**
   * What a full stream does. `refuse`: the new message, whose sender still has it; what everybody has read makes room.
   * `drop`: the oldest, where senders ask again for what has no answer.
   */
  readonly whenFull: 'refuse' | 'drop';
  /** Window in which JetStream drops a repeated Nats-Msg-Id. An optimisation only. */
  readonly duplicateWindowMs: number;
  /** Services that read all of it: a sender with an outbox keeps each message until they have. None by default. */
  readonly readers?: readonly StreamReader[];
}

const dayMs = 86_400_000;
const mebibyte = 1_048_576;
const duplicateWindowMs = 120_000;

/**
 * The one service that creates and changes the streams, its own and all others. A service that may configure a stream
 * can have the broker repeat its messages on any subject, past all permissions. Only the ledger may, since its answers
 * decide about money anyway. Until it has created a stream, other services keep in their outbox what they have to
 * publish.
 */
export const streamKeeper: ServiceName = 'ledger';

/** Every stream of the product, one per owner of events and one per receiver of commands. */
export const streams = {
  depositsEvents: {
    name: 'EVENTS_DEPOSITS',
    owner: 'deposits',
    subjects: ['event.deposits.>'],
    maxAgeMs: 7 * dayMs,
    maxBytes: 1_536 * mebibyte,
    whenFull: 'refuse',
    duplicateWindowMs,
    readers: [{ service: 'webhooks', durable: 'webhooks-deposits' }],
  },
  payoutsEvents: {
    name: 'EVENTS_PAYOUTS',
    owner: 'payouts',
    subjects: ['event.payouts.>'],
    maxAgeMs: 7 * dayMs,
    maxBytes: 1_536 * mebibyte,
    whenFull: 'refuse',
    duplicateWindowMs,
    readers: [{ service: 'webhooks', durable: 'webhooks-payouts' }],
  },
  ledgerEvents: {
    name: 'EVENTS_LEDGER',
    owner: 'ledger',
    subjects: ['event.ledger.>'],
    maxAgeMs: 7 * dayMs,
    maxBytes: 512 * mebibyte,
    whenFull: 'refuse',
    duplicateWindowMs,
    readers: [
      { service: 'webhooks', durable: 'webhooks-ledger' },
      { service: 'deposits', durable: 'deposits-dispute-holdings' },
    ],
  },
  webhooksEvents: {
    name: 'EVENTS_WEBHOOKS',
    owner: 'webhooks',
    subjects: ['event.webhooks.>'],
    maxAgeMs: 7 * dayMs,
    maxBytes: 256 * mebibyte,
    whenFull: 'drop',
    duplicateWindowMs,
    /** What happens to one endpoint is sent to the account's others as any other event is. */
    readers: [{ service: 'webhooks', durable: 'webhooks-own' }],
  },
  gatewayEvents: {
    name: 'EVENTS_GATEWAY',
    owner: 'api-gateway',
    subjects: ['event.api-gateway.>'],
    maxAgeMs: 7 * dayMs,
    maxBytes: 64 * mebibyte,
    whenFull: 'refuse',
    duplicateWindowMs,
    readers: [{ service: 'webhooks', durable: 'webhooks-gateway' }],
  },
  /**
   * Owned by the gateway, which stores notifications before it answers them, and answers 503 when the stream is full.
   */
  providerNotifications: {
    name: 'PROVIDER_NOTIFICATIONS',
    owner: 'api-gateway',
    subjects: ['provider.>'],
    maxAgeMs: 7 * dayMs,
    maxBytes: 1_024 * mebibyte,
    whenFull: 'refuse',
    duplicateWindowMs,
    readers: [
      { service: 'deposits', durable: 'deposits-provider-notifications' },
      { service: 'payouts', durable: 'payouts-notifications' },
    ],
  },
  ledgerCommandsLive: {
    name: 'COMMANDS_LEDGER_LIVE_0',
    owner: 'ledger',
    subjects: ['command.ledger.live.0.>'],
    maxAgeMs: 7 * dayMs,
    maxBytes: 1_536 * mebibyte,
    whenFull: 'drop',
    duplicateWindowMs,
  },
  ledgerCommandsTest: {
    name: 'COMMANDS_LEDGER_TEST_0',
    owner: 'ledger',
    subjects: ['command.ledger.test.0.>'],
    maxAgeMs: 7 * dayMs,
    maxBytes: 1_536 * mebibyte,
    whenFull: 'drop',
    duplicateWindowMs,
  },
} as const satisfies Record<string, StreamContract>;
