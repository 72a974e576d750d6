import { hash } from 'node:crypto';
import type { AuditedAdjustment } from '@gateway/contracts/accounts';
import type { HashedLink, ChainLinkContent, MoneyRecord } from '@gateway/contracts/ledger';
import type { RecordEvent, RecordEventOutcome } from '@gateway/contracts/webhooks';
import { isId, newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { silentLogger } from '@gateway/test-kit';
import { askAgain, AskedPlaces } from '#src/comparisons/ask-again.ts';
import { sweep } from '#src/matching/sweep.ts';
import { readLedger, type SidesDependencies } from '#src/sides/read-ledger.ts';
import { beginReadingRecords, readRecordPage } from '#src/sides/read-records.ts';
import type { Sources } from '#src/sides/sources.ts';
import { noon } from './books.ts';

type Posting = ChainLinkContent[11][number];
type Entry = ChainLinkContent[12][number];

export const account = newId('account');

/** The services that the sides are read from, as far as a test says what they have. */
export class Services {
  readonly links: HashedLink[] = [];
  readonly records: MoneyRecord[] = [];
  /** Of pages, by their ids. */
  readonly recordsRead: string[] = [];
  readonly audited: AuditedAdjustment[] = [];
  readonly gathered: Awaited<ReturnType<Sources['gathered']>>[number][] = [];
  /** What records say has happened to them. */
  readonly happened: RecordEvent[] = [];
  /** What of endpoints there is to say of an event of that name, for every account. */
  outcome: RecordEventOutcome['destinations'] = [];
  /** Events with deliveries, whatever else is missing: `deposit.paid dep_…`. */
  readonly delivered = new Set<string>();
  now = noon;

  /** Decides a command; its link follows on the one before. */
  decide(request: { kind: string; id: string }, postings: readonly Posting[], entries: readonly Entry[] = []): void {
    const text = JSON.stringify({ accountId: account, currency: 'BRL', ...request });
    const previous = this.links.at(-1)?.hash ?? '0'.repeat(64);
    const content = [
      ...[previous, 'live', 0, this.links.length + 1, this.now.getTime(), request.id, sha256(text)],
      ...['applied', null, [], [], postings, entries],
    ];
    const link = JSON.stringify(content);
    this.links.push({ text: link, request: text, hash: sha256(link) });
  }

  /** A payment that was credited: the decision, and what the deposits have of it. */
  credit(id: string, amount: number, { fee = 0, ...recorded }: Partial<MoneyRecord> = {}): void {
    this.decide({ kind: 'credit-deposit', id: `credit-deposit:${id}`, ...{ amount, fee } }, [
      [account, 'available', 'BRL', amount - fee],
      ['fees', 'system', 'BRL', fee],
      ['provider:efi', 'system', 'BRL', -amount],
    ]);
    this.records.push(record('payment', id, { amount, fee, state: 'CREDITED', ...recorded }));
  }

  get sources(): Sources {
    return {
      links: async ({ environment, after, limit }) => {
        if (environment !== 'live') return { links: [], before: null };
        const before = this.links[after - 1]?.hash ?? null;
        return { links: this.links.slice(after, after + limit), before, incarnation: 2 };
      },
      records: async (_environment, places) =>
        this.records.filter(({ accountId, id }) =>
          places.some((place) => place.accountId === accountId && place.id === id),
        ),
      recordPage: async ({ environment, kind, after, limit, ids: { from: first = '', below = '~' } }) => {
        const ofKind = environment === 'live' ? this.records.filter((each) => each.kind === kind) : [];
        const all = ofKind.filter(({ id }) => id >= first && id < below);
        all.forEach(({ id }) => this.recordsRead.push(id));
        const from = after ? all.findIndex(({ id }) => id === after.id) + 1 : 0;
        const records = all.slice(from, from + limit);
        const last = records.at(-1);
        const isLast = from + records.length === all.length;
        return { records, next: last && !isLast ? { accountId: last.accountId, id: last.id } : null };
      },
      eventPage: async ({ environment, list, after, ids: { from: first = '', below = '~' } }) => {
        const ofAll = environment === 'live' ? this.happened.filter(({ recordId }) => isId(list, recordId)) : [];
        const ofList = ofAll.filter(({ recordId }) => recordId >= first && recordId < below);
        const from = after ? ofList.findIndex(({ recordId }) => recordId === after.id) + 1 : 0;
        const events = ofList.slice(from, from + 2);
        const last = events.at(-1);
        const isLast = from + events.length === ofList.length;
        return { events, next: last && !isLast ? { accountId: last.accountId, id: last.recordId } : null };
      },
      outcomes: async (_environment, events) =>
        events.map(({ recordId, event }) => {
          const isDelivered = this.delivered.has(`${event} ${recordId}`);
          return { recordId, event, destinations: isDelivered ? [] : this.outcome };
        }),
      gathered: async (references) => this.gathered.filter(({ reference }) => references.includes(reference)),
      adjustments: async (ids) => this.audited.filter(({ id }) => ids.includes(id)),
    };
  }

  dependencies(database: Database): SidesDependencies {
    return { database, sources: this.sources, logger: silentLogger, now: () => this.now, caughtUp: new Map() };
  }

  passSeconds(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1_000);
  }
}

/** The work of the service, done when a test wants it. */
export class SidesByHand {
  readonly services = new Services();
  readonly places = new AskedPlaces();
  readonly dependencies: SidesDependencies;

  constructor(database: Database) {
    this.dependencies = this.services.dependencies(database);
  }

  readLedger(): Promise<boolean> {
    return readLedger(this.dependencies, { environment: 'live', shard: 0 });
  }

  async readAllRecords(): Promise<void> {
    this.services.passSeconds(1);
    await beginReadingRecords(this.dependencies, this.services.now);
    while (await readRecordPage(this.dependencies));
  }

  /** Time passes, in which what differs is asked again and what is late becomes an exception. */
  async waitSeconds(seconds: number): Promise<void> {
    this.services.passSeconds(seconds);
    await this.readLedger();
    await askAgain(this.dependencies, 'live', this.places);
    await sweep(this.dependencies);
  }
}

export function record(kind: MoneyRecord['kind'], id: string, given: Partial<MoneyRecord> = {}): MoneyRecord {
  return {
    ...{ kind, id, accountId: account, provider: 'efi', currency: 'BRL', amount: 1_000, fee: 0, state: 'DONE' },
    ...{ depositState: null, reference: id, e2eId: null, returnId: null, refunded: 0, returned: 0, returns: [] },
    ...{ depositId: null, backByRefunds: null, overturned: null, deposited: null, transfers: [] },
    atMs: noon.getTime(),
    ...given,
  };
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
