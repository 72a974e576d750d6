import { streams } from '@gateway/contracts/broker';
import { type LedgerCommand, ledgerCommandSchema, type LedgerResult } from '@gateway/contracts/ledger';
import type { Environment } from '@gateway/contracts/values';
import { ensureStreams, replyToHeader } from '@gateway/messaging';
import { silentLogger } from '@gateway/test-kit';
import type { GatewayUnderTest } from './start-gateway.ts';

const applied = { outcome: 'applied', refusal: null, field: null, balances: [], amounts: {}, replayed: false } as const;

type Decision = Partial<LedgerResult> | undefined;

/** A ledger that answers commands as the test says: as applied, unless it says otherwise. */
export class ScriptedLedger implements AsyncDisposable {
  /** What came down the ledger's stream. */
  readonly commands: LedgerCommand[] = [];
  /** What differs from an applied command; undefined leaves the question unanswered. */
  decides: () => Decision | Promise<Decision> = () => ({});
  #stop = async (): Promise<void> => {};

  static async start({ bus }: GatewayUnderTest, environment: Environment): Promise<ScriptedLedger> {
    const ledger = new ScriptedLedger();
    const stream = { test: streams.ledgerCommandsTest, live: streams.ledgerCommandsLive }[environment];
    await ensureStreams(bus, [stream], silentLogger);
    const messages = await (await bus.jetstream.consumers.get(stream.name)).consume();
    const running = (async () => {
      for await (const message of messages) {
        const command = ledgerCommandSchema.parse(message.json());
        ledger.commands.push(command);
        const decision = await ledger.decides();
        if (!decision) continue;
        const result = JSON.stringify({ commandId: command.id, ...applied, ...decision });
        bus.connection.publish(message.headers?.get(replyToHeader) ?? '', result);
      }
    })();
    ledger.#stop = async () => {
      messages.stop();
      await running;
    };
    return ledger;
  }

  forget(): void {
    this.commands.length = 0;
    this.decides = () => ({});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}
