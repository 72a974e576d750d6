import { type Account, getKeyHolder } from '@gateway/contracts/accounts';
import {
  type createDeposit as createContract,
  type Deposit,
  providersChangedSignal,
} from '@gateway/contracts/deposits';
import { getDisputeHolding, ledgerCommand } from '@gateway/contracts/ledger';
import type { PayloadOf } from '@gateway/contracts/messages';
import { answering, type Bus, callRpc, LedgerCommandClient, sendSignal, serveRpc } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { type PaymentProvider, sandboxProvider } from '@gateway/providers';
import { createTestBus, createTestDatabase, LedgerPeer, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { createDeposit } from '#src/charge/create-deposit.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { linksOf } from '#src/deposit/links.ts';
import { DepositReader } from '#src/deposit/deposit-record.ts';
import { DepositTable } from '#src/deposit/deposit-table.ts';
import { PaymentTable } from '#src/payment/payment-table.ts';
import { simulatePayment } from '#src/payment/simulate-payment.ts';
import { withFeeds } from '#src/provider-feed/deposit-feeds.ts';
import { booksElsewhere } from '#src/providers/booked-money.ts';
import type { ChargeRoute } from '#src/routing/charge-routes.ts';
import { ProviderSettings } from '#src/routing/provider-settings.ts';
import { schema } from '#src/schema.ts';
import { DepositBooks } from './deposit-books.ts';

type CreateRequest = PayloadOf<{ payload: typeof createContract.request }>;

/** How long the service waits for the ledger where a test lets the answers get lost. */
const impatientMs = 600;

const alwaysOpen = {
  weight: () => 1,
  isEnabled: () => true,
  isHealthy: () => true,
} satisfies Partial<ChargeRoute>;

/** The service's use cases on a real database and a real bus, with a clock that only the test moves. */
export class Stage implements AsyncDisposable {
  readonly bus: Bus;
  readonly ledger: LedgerPeer<DepositBooks>;
  readonly #holdings: AsyncDisposable;
  readonly dependencies: Dependencies;
  readonly #database: TestDatabase;
  readonly #ledgerClient: LedgerCommandClient;
  #now = new Date('2026-03-04T05:06:07.890Z');

  private constructor(bus: Bus, ledger: LedgerPeer<DepositBooks>, holdings: AsyncDisposable, database: TestDatabase) {
    this.bus = bus;
    this.ledger = ledger;
    this.#holdings = holdings;
    this.#database = database;
    this.#ledgerClient = new LedgerCommandClient(bus);
    const now = () => this.#now;
    this.dependencies = withFeeds({
      database: database.database,
      depositReader: new DepositReader(database.database),
      deposits: new DepositTable(database.database),
      payments: new PaymentTable(database.database),
      askLedger: (command, timeoutMs) => this.#ledgerClient.request(ledgerCommand, command, { timeoutMs }),
      holderOf: (publicKey, timeoutMs) => callRpc(bus, getKeyHolder, { publicKey }, { timeoutMs }),
      askHolding: (dispute) => callRpc(bus, getDisputeHolding, dispute),
      booksElsewhere: booksElsewhere(bus),
      rememberedSince: async () => new Date(0),
      announceProviders: () => sendSignal(bus, providersChangedSignal, silentLogger),
      chargeRoutes: {
        test: [{ ...alwaysOpen, provider: sandboxProvider({ now }) }],
        live: [],
      },
      pollIntervalMs: 30_000,
      callsPerMinute: 1e9,
      providerSettings: new ProviderSettings(database.database, () => 1),
      providerTariffs: { efi: { BRL: [85] } },
      ...linksOf({ SECRETS_KEY: Buffer.alloc(32, 7), PUBLIC_URL: 'https://pay.example/' }),
      logger: silentLogger,
      now,
    });
  }

  static async open(): Promise<Stage> {
    const database = await createTestDatabase('deposits', schema);
    const bus = await createTestBus();
    const ledger = await LedgerPeer.start(bus, new DepositBooks());
    const holding = answering(getDisputeHolding, async ({ disputeId }) => ({
      ...ledger.books.holdingOf(disputeId),
      captureUntil: 1,
    }));
    return new Stage(bus, ledger, await serveRpc(bus, [holding], silentLogger), database);
  }

  /** The same service with providers that are asked over the wire, between transactions. */
  onTheWire(...providers: Partial<PaymentProvider>[]): Dependencies {
    const sandbox = sandboxProvider({ now: () => this.#now });
    const capabilities = { ...sandbox.capabilities, receivesPayments: true };
    const routes = providers.map((provider) => ({
      ...alwaysOpen,
      provider: announcing({ ...sandbox, capabilities, id: 'wired', ...provider }),
    }));
    return withFeeds({ ...this.dependencies, chargeRoutes: { test: routes, live: [] } });
  }

  passSeconds(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1_000);
  }

  async create(wanted: CreateRequest, dependencies: Dependencies = this.dependencies) {
    return await createDeposit(dependencies, wanted, { signal: AbortSignal.timeout(5_000) });
  }

  async pay(
    accountId: string,
    id: string,
    dependencies: Dependencies = this.dependencies,
    amount: number | null = null,
  ) {
    const key = { environment: 'test', accountId, id, amount } as const;
    return await simulatePayment(dependencies, key, { timeoutMs: 5_000 });
  }

  /** Pays without the patience to wait for answers that will not come. */
  async payImpatiently(accountId: string, id: string) {
    const key = { environment: 'test', accountId, id } as const;
    return await simulatePayment(this.dependencies, key, { timeoutMs: impatientMs });
  }

  /** A deposit whose money has come. */
  async paid(owner: Account = account(), dependencies: Dependencies = this.dependencies): Promise<Deposit> {
    const { deposit } = await this.create(request(owner), dependencies);
    return (await this.pay(owner.id, deposit.id, dependencies)).deposit;
  }

  /** Money for a merchant from elsewhere. */
  async give(accountId: string, amount: number): Promise<void> {
    const adjustmentId = newId('adjustment');
    const id = `adjust:${adjustmentId}`;
    const command = {
      kind: 'adjust',
      id,
      environment: 'test',
      accountId,
      currency: 'BRL',
      adjustmentId,
      amount,
    } as const;
    await this.dependencies.askLedger(command, 5_000);
  }

  /** Subjects of a deposit's events, oldest first. */
  async eventsOf(depositId: string): Promise<string[]> {
    const rows = await this.dependencies.database.query<{ subject: string }>(
      `select subject from outbox where payload::jsonb #>> '{deposit,id}' = $1 order by id`,
      [depositId],
    );
    return rows.map((row) => row.subject);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ledgerClient[Symbol.asyncDispose]();
    await this.ledger[Symbol.asyncDispose]();
    await this.#holdings[Symbol.asyncDispose]();
    await this.bus[Symbol.asyncDispose]();
    await this.#database[Symbol.asyncDispose]();
  }
}

/** As every adapter on the wire does, before it sends anything. */
function announcing(provider: PaymentProvider): PaymentProvider {
  return {
    ...provider,
    createCharge: async (charge, options) => {
      const isToBeSent = (await options?.beforeSending?.()) ?? true;
      if (!isToBeSent) return { kind: 'not_sent', reason: 'aborted', cause: 'called off' };
      return await provider.createCharge(charge, options);
    },
  };
}

export function account(settings: Partial<Account> = {}): Account {
  return {
    id: newId('account'),
    name: 'Loja Exemplo',
    document: null,
    autoApprovePayouts: true,
    fees: { deposit: { fixedCents: 50, bps: 100 }, payout: { fixedCents: 0, bps: 0 } },
    retentionDays: 0,
    rateLimit: { perSecond: 100, burst: 200 },
    payoutLimits: { perPayoutCents: null, perDayCents: null },
    ...settings,
  };
}

export function request(of: Account, changes: Partial<CreateRequest> = {}): CreateRequest {
  return {
    environment: 'test',
    account: of,
    apiVersion: '0.1',
    externalId: newId('request'),
    currency: 'BRL',
    paymentMethod: 'PIX',
    amount: 10_000,
    payer: null,
    expiresInSec: 3_600,
    callbackUrl: null,
    returnUrl: null,
    description: null,
    metadata: { order: '42' },
    ...changes,
  };
}
