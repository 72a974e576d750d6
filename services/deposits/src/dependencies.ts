import type { getDisputeHolding, LedgerCommand, LedgerResult } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';
import type { Feeds } from '@gateway/provider-feeds';
import type { Logger } from '@gateway/runtime';
import type { PageUrlOf } from '#src/deposit/page-url.ts';
import type { QrUrlOf } from '#src/deposit/qr-url.ts';
import type { EvidenceUrlOf } from '#src/dispute/evidence-url.ts';
import type { DepositTable } from '#src/deposit/deposit-table.ts';
import type { PaymentTable } from '#src/payment/payment-table.ts';
import type { BooksElsewhere } from '#src/provider-balances/books.ts';
import type { ProviderSettings } from '#src/providers/provider-settings.ts';
import type { ChargeRoutes } from '#src/providers/charge-routes.ts';

/** Asks until answered; throws SERVICE_UNAVAILABLE when nothing is known after `timeoutMs`. */
export type AskLedger = (command: LedgerCommand, timeoutMs: number) => Promise<LedgerResult>;

/** What the ledger holds for a dispute now; throws SERVICE_UNAVAILABLE when it does not answer. */
export type AskHolding = (dispute: RequestOf<typeof getDisputeHolding>) => Promise<ReplyOf<typeof getDisputeHolding>>;

/** What the use cases of this service work with. */
export interface Dependencies {
  readonly database: Database;
  readonly deposits: DepositTable;
  readonly payments: PaymentTable;
  readonly askLedger: AskLedger;
  readonly askHolding: AskHolding;
  readonly booksElsewhere: BooksElsewhere;
  readonly chargeRoutes: ChargeRoutes;
  readonly providerSettings: ProviderSettings;
  readonly qrUrlOf: QrUrlOf;
  readonly pageUrlOf: PageUrlOf;
  /** How often each provider's lists are read. */
  readonly evidenceUrlOf: EvidenceUrlOf;
  /** How often each provider's list of changes is read. */
  readonly pollIntervalMs: number;
  /** Questions to a provider per minute, of lists and of what is asked about singly. */
  readonly callsPerMinute: number;
  readonly feeds: Feeds;
  readonly logger: Logger;
  readonly now: () => Date;
}
