import { getAuditedAdjustments, type AuditedAdjustment } from '@gateway/contracts/accounts';
import {
  getDepositMoneyRecords,
  getGatheredTransfers,
  listDepositMoneyRecords,
  listProviders,
} from '@gateway/contracts/deposits';
import { getCheckpoint, listLinks, moneyRecordsMax, type MoneyRecord } from '@gateway/contracts/ledger';
import type { IdBounds, MoneyRecordKind, MoneyRecordPlace } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { getPayoutMoneyRecords, listPayoutMoneyRecords } from '@gateway/contracts/payouts';
import type { ProviderBalance } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';
import {
  eventRecordsMax,
  listDepositRecordEvents,
  listGatewayRecordEvents,
  listLedgerRecordEvents,
  listOutcomes,
  listPayoutRecordEvents,
  outcomesMax,
  type RecordEvent,
  type RecordEventOutcome,
  type RecordEventPlace,
} from '@gateway/contracts/webhooks';
import { callRpc, type Bus } from '@gateway/messaging';
import { isId } from '@gateway/money';

interface RecordPage {
  readonly records: readonly MoneyRecord[];
  readonly next: MoneyRecordPlace | null;
}

interface PageAsked {
  readonly environment: Environment;
  readonly kind: MoneyRecordKind;
  readonly after: MoneyRecordPlace | null;
  readonly limit: number;
  readonly ids: IdBounds;
}

/** Records that have public events, in the order in which they are read. */
export const eventLists = ['deposit', 'refund', 'dispute', 'payout', 'conversion', 'export'] as const;

interface EventPage {
  readonly events: readonly RecordEvent[];
  readonly next: RecordEventPlace | null;
}

interface EventsAsked {
  readonly environment: Environment;
  readonly list: (typeof eventLists)[number];
  readonly after: RecordEventPlace | null;
  readonly ids: IdBounds;
}

/** The services that the sides are read from. */
export interface Sources {
  readonly links: (asked: RequestOf<typeof listLinks>) => Promise<ReplyOf<typeof listLinks>>;
  /** Those that are there. */
  readonly records: (environment: Environment, places: readonly MoneyRecordPlace[]) => Promise<readonly MoneyRecord[]>;
  readonly recordPage: (asked: PageAsked) => Promise<RecordPage>;
  /** What the records of a list say has happened to them. */
  readonly eventPage: (asked: EventsAsked) => Promise<EventPage>;
  /** In the order of the events. */
  readonly outcomes: (
    environment: Environment,
    events: readonly RecordEvent[],
  ) => Promise<readonly RecordEventOutcome[]>;
  /** What has arrived on charges of live providers that wait for the rest. */
  readonly gathered: (references: readonly string[]) => Promise<ReplyOf<typeof getGatheredTransfers>['transfers']>;
  /** Those that have a record. */
  readonly adjustments: (ids: readonly string[]) => Promise<readonly AuditedAdjustment[]>;
}

/** A question reads hundreds of rows, beside what callers wait for. */
const timeoutMs = 15_000;

export function askServices(bus: Bus): Sources {
  return {
    links: async (asked) => await callRpc(bus, listLinks, asked, { timeoutMs }),
    records: async (environment, places) => {
      const isPayout = ({ id }: MoneyRecordPlace) => isId('payout', id);
      const [payouts, others] = [places.filter(isPayout), places.filter((place) => !isPayout(place))];
      const found = await Promise.all([
        ...pagesOf(payouts, moneyRecordsMax).map((records) =>
          callRpc(bus, getPayoutMoneyRecords, { environment, records }, { timeoutMs }),
        ),
        ...pagesOf(others, moneyRecordsMax).map((records) =>
          callRpc(bus, getDepositMoneyRecords, { environment, records }, { timeoutMs }),
        ),
      ]);
      return found.flatMap(({ records }) => records);
    },
    recordPage: async ({ kind, ...asked }) =>
      kind === 'payout'
        ? await callRpc(bus, listPayoutMoneyRecords, asked, { timeoutMs })
        : await callRpc(bus, listDepositMoneyRecords, { ...asked, kind }, { timeoutMs }),
    eventPage: async ({ list, ...asked }) => {
      const page = { ...asked, limit: eventRecordsMax };
      if (list === 'payout') return await callRpc(bus, listPayoutRecordEvents, { ...page, list }, { timeoutMs });
      if (list === 'conversion') return await callRpc(bus, listLedgerRecordEvents, { ...page, list }, { timeoutMs });
      if (list === 'export') return await callRpc(bus, listGatewayRecordEvents, { ...page, list }, { timeoutMs });
      return await callRpc(bus, listDepositRecordEvents, { ...page, list }, { timeoutMs });
    },
    outcomes: async (environment, events) => {
      const outcomes: RecordEventOutcome[] = [];
      for (const asked of pagesOf(events, outcomesMax)) {
        outcomes.push(...(await callRpc(bus, listOutcomes, { environment, events: asked }, { timeoutMs })).outcomes);
      }
      return outcomes;
    },
    gathered: async (references) => {
      const asked = { environment: 'live' as const, references: [...references] };
      return (await callRpc(bus, getGatheredTransfers, asked, { timeoutMs })).transfers;
    },
    adjustments: async (ids) =>
      (await callRpc(bus, getAuditedAdjustments, { ids: [...ids] }, { timeoutMs })).adjustments,
  };
}

/** What the live providers hold, as it was compared last. */
export async function askBalances(bus: Bus): Promise<readonly ProviderBalance[]> {
  const { providers } = await callRpc(bus, listProviders, {}, { timeoutMs });
  return providers.flatMap(({ environment, balances }) => (environment === 'live' ? balances : []));
}

/** What the ledger's newest signed checkpoint states. */
export interface LedgerCheckpoint {
  readonly size: number;
  readonly root: Buffer;
}

/** Of the live ledger; null before its first one. */
export async function askCheckpoint(bus: Bus): Promise<LedgerCheckpoint | null> {
  const { checkpoint } = await callRpc(bus, getCheckpoint, { environment: 'live', shard: 0 }, { timeoutMs });
  return checkpoint === null ? null : readCheckpoint(checkpoint);
}

/** The second line of a checkpoint (C2SP tlog-checkpoint) is the size of the tree, the third one its root. */
export function readCheckpoint(note: string): LedgerCheckpoint {
  const [, size = '', root = ''] = note.split('\n');
  return { size: Number(size), root: Buffer.from(root, 'base64') };
}

function pagesOf<Item>(items: readonly Item[], itemsMax: number): Item[][] {
  const pages: Item[][] = [];
  for (let from = 0; from < items.length; from += itemsMax) pages.push(items.slice(from, from + itemsMax));
  return pages;
}
