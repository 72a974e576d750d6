import { setTimeout as delay } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/nats-core';
import { createInbox, headers as createHeaders } from '@nats-io/nats-core';
import { ledgerCommand, type LedgerCommand, type LedgerResult } from '@gateway/contracts/ledger';
import { replyToHeader } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';

const everyMs = 10;
const askAgainAfterMs = 2_000;
/** Nine starts of a writer, one after the other, on a machine that has other work. */
const answeredWithinMs = 180_000;

/** Sends commands in their order at a steady pace, and again those that stay unanswered, until all are answered. */
export class SteadySender {
  readonly answers = new Map<string, LedgerResult[]>();
  readonly #nats: NatsConnection;
  readonly #inbox = createInbox();
  readonly #sentAtMs = new Map<string, number>();

  constructor(nats: NatsConnection) {
    this.#nats = nats;
    nats.subscribe(this.#inbox, {
      callback: (_error, message) => {
        const result = message.json<LedgerResult>();
        this.answers.set(result.commandId, [...(this.answers.get(result.commandId) ?? []), result]);
      },
    });
  }

  async sendAll(commands: readonly LedgerCommand[], perSecond: number): Promise<void> {
    const perTick = Math.ceil((perSecond * everyMs) / 1_000);
    for (let start = 0; start < commands.length; start += perTick) {
      for (const command of commands.slice(start, start + perTick)) this.#send(command);
      await delay(everyMs);
    }
    await eventually(
      () => {
        const open = commands.filter((command) => !this.answers.has(command.id));
        for (const command of open) if (this.#isOverdue(command)) this.#send(command);
        if (open.length > 0) throw new Error(`${open.length} commands have no answer`);
      },
      { timeoutMs: answeredWithinMs, everyMs: 50 },
    );
  }

  #isOverdue(command: LedgerCommand): boolean {
    return performance.now() - (this.#sentAtMs.get(command.id) ?? 0) > askAgainAfterMs;
  }

  #send(command: LedgerCommand): void {
    const headers = createHeaders();
    headers.set(replyToHeader, this.#inbox);
    this.#sentAtMs.set(command.id, performance.now());
    this.#nats.publish(ledgerCommand.subjectFor(command), JSON.stringify(command), { headers });
  }
}
