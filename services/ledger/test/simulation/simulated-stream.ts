import { DeliverPolicy, type StoredMsg, type StreamInfo } from '@nats-io/jetstream';
import { ledgerCommand, type LedgerCommand } from '@gateway/contracts/ledger';
import type { IncomingMessage } from '#src/consumer/incoming-message.ts';
import { parseCommand } from '#src/consumer/parse-command.ts';
import type { SafeStart, StreamReader } from '#src/consumer/safe-start.ts';

/**
 * A broker that keeps its messages in order and can lose the newest ones; what is stored afterwards gets their
 * sequences, as JetStream does after a crash before its data reached the disk.
 */
export class SimulatedStream {
  readonly #messages: IncomingMessage[] = [];
  /** Readers of an earlier generation have lost their consumer. */
  generation = 0;

  get length(): number {
    return this.#messages.length;
  }

  store(command: LedgerCommand, atMs: number): void {
    const position = { sequence: this.#messages.length + 1, timeMs: atMs };
    const text = JSON.stringify(command);
    const subject = ledgerCommand.subjectFor(command);
    const parsed = parseCommand({ text, environment: 'test', subject, repeatedFrom: undefined });
    this.#messages.push({ text, parsed, subject, position, replyTo: undefined, trace: {} });
  }

  loseTail(count: number): void {
    this.#messages.splice(Math.max(0, this.#messages.length - count));
    this.generation++;
  }

  /** The messages from a start on, as a consumer would deliver them. */
  read(next: number, max: number): IncomingMessage[] {
    return this.#messages.slice(next - 1, next - 1 + max);
  }

  firstSequence({ from }: SafeStart): number {
    if (from.deliver_policy === DeliverPolicy.StartSequence) return from.opt_start_seq ?? 1;
    if (from.deliver_policy === DeliverPolicy.All) return 1;
    const sinceMs = Date.parse(from.opt_start_time ?? '');
    const index = this.#messages.findIndex((message) => message.position.timeMs >= sinceMs);
    return index < 0 ? this.#messages.length + 1 : index + 1;
  }

  /** The questions the writer puts to a broker before it reads. */
  get reader(): StreamReader {
    return {
      info: () => Promise.resolve({ state: { first_seq: 1, last_seq: this.#messages.length } } as StreamInfo),
      getMessage: (_stream, query) => {
        const sequence = 'seq' in query ? query.seq : 0;
        const found = this.#messages[sequence - 1];
        return Promise.resolve(found ? ({ time: new Date(found.position.timeMs) } as StoredMsg) : null);
      },
    };
  }
}
