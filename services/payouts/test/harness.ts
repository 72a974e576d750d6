import type { Account } from '@gateway/contracts/accounts';
import { ledgerCommand, type LedgerCommandKind } from '@gateway/contracts/ledger';
import type { PayoutReturn } from '@gateway/contracts/payouts';
import { LedgerCommandClient, type Bus } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { DueWork } from '@gateway/persistence';
import { type PaymentProvider, sandboxProvider } from '@gateway/providers';
import { createTestBus, createTestDatabase, LedgerPeer, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { createPayout } from '#src/creation/create-payout.ts';
import type { CreatePayoutRequest } from '#src/creation/draft-payout.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { PayoutEntity } from '#src/payout/payout-entity.ts';
import { PayoutTable } from '#src/payout/payout-table.ts';
import { getPayout } from '#src/payout/read-payouts.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { startDuePayouts } from '#src/steps/due-payouts.ts';
import { PayoutBooks } from './payout-books.ts';

/** The service's use cases on a real database and a real bus, with a clock that only the test moves. */
export class Harness implements AsyncDisposable {
  readonly bus: Bus;
  readonly ledger: LedgerPeer<PayoutBooks>;
  readonly dependencies: StepsDependencies;
  readonly #database: TestDatabase;
  readonly #ledgerClient: LedgerCommandClient;
  #sweepers = new AsyncDisposableStack();
  #dueWork: DueWork | undefined;
  #now = new Date('2026-03-04T05:06:07.890Z');

  private constructor(bus: Bus, ledger: LedgerPeer<PayoutBooks>, database: TestDatabase) {
    this.bus = bus;
    this.ledger = ledger;
    this.#database = database;
    this.#ledgerClient = new LedgerCommandClient(bus);
    const now = () => this.#now;
    this.dependencies = {
      database: database.database,
      payouts: new PayoutTable(database.database, (dueAt) => this.#dueWork?.announce(dueAt)),
      askLedger: (command, timeoutMs) => this.#ledgerClient.request(ledgerCommand, command, { timeoutMs }),
      payoutRoutes: {
        test: [{ provider: sandboxProvider({ now }), currencies: ['BRL', 'MXN'], callTimeoutMs: 1_000 }],
        live: [],
      },
      freezeOf: async () => null,
      rememberedSince: async () => new Date(0),
      // The tests move the clock, and what is due then is found in the table.
      leased: { hasRoom: false, keep: () => undefined },
      logger: silentLogger,
      now,
    };
  }

  static async open(): Promise<Harness> {
    const database = await createTestDatabase('payouts', { entities: [PayoutEntity], migrations });
    const bus = await createTestBus();
    return new Harness(bus, await LedgerPeer.start(bus, new PayoutBooks()), database);
  }

  /** The same service with a provider that behaves as the test says. */
  with(provider: Partial<PaymentProvider>): StepsDependencies {
    const changed = { ...sandboxProvider({ now: () => this.#now }), ...provider };
    const route = { provider: changed, currencies: ['BRL'] as const, callTimeoutMs: 1_000 };
    return { ...this.dependencies, payoutRoutes: { test: [route], live: [] } };
  }

  /** The same service in a process that ends right after the ledger has decided a command of this kind. */
  dyingAfter(kind: LedgerCommandKind): StepsDependencies {
    const askLedger: StepsDependencies['askLedger'] = async (command, timeoutMs) => {
      const result = await this.dependencies.askLedger(command, timeoutMs);
      if (command.kind === kind) throw new Error('the process ends here');
      return result;
    };
    return { ...this.dependencies, askLedger };
  }

  passSeconds(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1_000);
    this.#dueWork?.announce(this.#now);
  }

  async create(wanted: CreatePayoutRequest, dependencies = this.dependencies, timeoutMs = 5_000) {
    return await createPayout(dependencies, wanted, { signal: AbortSignal.timeout(timeoutMs), timeoutMs });
  }

  async get({ accountId, id }: { accountId: string; id: string }) {
    return (await getPayout(this.dependencies, { environment: 'test', accountId, id })).payout;
  }

  /** Starts a process that resumes what is due. */
  startSweeping(dependencies = this.dependencies): void {
    const { database, logger, now } = this.dependencies;
    this.#dueWork ??= this.#sweepers.use(new DueWork({ database, logger, now }));
    this.#sweepers.use(startDuePayouts(dependencies, 'test', this.#dueWork));
  }

  /** Ends all of them, in the middle of nothing. */
  async stopSweeping(): Promise<void> {
    await this.#sweepers.disposeAsync();
    this.#sweepers = new AsyncDisposableStack();
    this.#dueWork = undefined;
  }

  /** The payouts that hold an external_id. */
  async rowsOf(externalId: string) {
    return await this.dependencies.database.query<{ id: string; state: string; reference: string }>(
      'select id, state, reference from payout where external_id = $1 and released_at is null',
      [externalId],
    );
  }

  /** Last words of the subjects of the events of a payout, oldest first. */
  async eventsOf(payoutId: string): Promise<string[]> {
    const rows = await this.dependencies.database.query<{ subject: string }>(
      `select subject from outbox where payload::jsonb #>> '{payout,id}' = $1 order by id`,
      [payoutId],
    );
    return rows.map(({ subject }) => subject.split('.')[3] ?? '');
  }

  /** The parts that were published as come back, oldest first, each with what had come back by then. */
  async publishedReturnsOf(payoutId: string) {
    return await this.dependencies.database.query<{ returned: number; return: PayoutReturn }>(
      `select (payload::jsonb #>> '{payout,returned}')::integer as returned, payload::jsonb -> 'return' as return
       from outbox where payload::jsonb #>> '{payout,id}' = $1 and subject like '%.returned.%' order by id`,
      [payoutId],
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopSweeping();
    await this.#ledgerClient[Symbol.asyncDispose]();
    await this.ledger[Symbol.asyncDispose]();
    await this.bus[Symbol.asyncDispose]();
    await this.#database[Symbol.asyncDispose]();
  }

  /** An account with a balance, whose payouts cost 1.00. */
  account(balance: number, settings: Partial<Account> = {}): Account {
    const account: Account = {
      id: newId('account'),
      name: 'Loja Exemplo',
      document: null,
      autoApprovePayouts: true,
      fees: { deposit: { fixedCents: 0, bps: 0 }, payout: { fixedCents: 100, bps: 0 } },
      retentionDays: 0,
      rateLimit: { perSecond: 100, burst: 200 },
      payoutLimits: { perPayoutCents: null, perDayCents: null },
      ...settings,
    };
    this.ledger.books.fund(account.id, balance);
    return account;
  }
}

/** A payout of 50.00; the key decides how the sandbox treats it. */
export function request(account: Account, changes: Partial<CreatePayoutRequest> = {}): CreatePayoutRequest {
  return {
    environment: 'test',
    account,
    apiVersion: '0.1',
    externalId: newId('request'),
    currency: 'BRL',
    paymentMethod: 'PIX',
    amount: 5_000,
    key: 'ana@example.com',
    keyType: 'email',
    recipient: { name: 'Ana Souza', document: '52998224725', email: null, phone: null },
    kind: 'PLAYER_PAYOUT',
    enforceOwnership: false,
    metadata: {},
    ...changes,
  };
}

/** What two operators say has become of a payout. */
export function resolutionOf(
  id: string,
  outcome: 'paid' | 'failed',
  approvalId: string = newId('approval'),
  at = '2030-01-02T11:00:00.000Z',
) {
  const evidence = 'statement, line 7';
  const proposal = { approvalId, operator: 'ana', evidence, at };
  return { id, outcome, operator: 'bruno', evidence, proposal };
}
