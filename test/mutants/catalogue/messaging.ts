import type { Mutant } from '../mutant.ts';

export const messaging: readonly Mutant[] = [
  {
    id: 'K01',
    file: 'packages/messaging/src/outbox/relay.ts',
    replaced: 'if (answer instanceof Error) failure = answer;',
    by: 'if (answer instanceof Error) this.#done.push(...ids);',
    test: 'packages/messaging/test/messages.test.ts',
    named: 'keeps a message that the broker refused to store, and publishes it until it is stored',
    guarantee: 'An outbox row stays until JetStream has stored its message.',
  },
  {
    id: 'K03',
    file: 'packages/messaging/src/consumer/consumer.ts',
    replaced: 'return keepAgainAfterMs;',
    by: "return 'set-aside';",
    test: 'packages/messaging/test/messages.test.ts',
    named: 'gives a dead letter again that the database could not keep, and keeps it then',
    guarantee: 'A message that could not be kept as a dead letter is delivered again.',
  },
  {
    id: 'K05',
    file: 'packages/messaging/src/outbox/unread-rows.ts',
    replaced: 'if (this.#seen.has(reader)) return 0;',
    by: '',
    test: 'packages/messaging/test/messages.test.ts',
    named: 'keeps a message while the broker has forgotten its reader',
    guarantee: 'A reader that the broker has lost holds back what it has not read.',
  },
];
