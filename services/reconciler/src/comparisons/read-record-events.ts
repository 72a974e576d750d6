import { environmentSchema } from '@gateway/contracts/values';
import type { RecordEventPlace } from '@gateway/contracts/webhooks';
import { missingOf } from '#src/comparisons/check-deliveries.ts';
import { openFindings } from '#src/sides/findings.ts';
import { movePlace, readPlace } from '#src/sides/places.ts';
import type { SidesDependencies } from '#src/sides/read-ledger.ts';
import { behindPage, boundsOf, nextReading, type RollingReading } from '#src/sides/rolling-reading.ts';
import { eventLists } from '#src/sides/sources.ts';

const lists = environmentSchema.options.flatMap((environment) => eventLists.map((list) => ({ environment, list })));

type Reading = RollingReading<RecordEventPlace>;

const name = 'record events';

/**
 * Reads what records say has happened to them, by and by of all months, and asks for the delivery of each event to each
 * endpoint: also of what no decision of the ledger stands behind, and of deliveries that were there once and are not any
 * more. What a webhook itself goes through (`webhook.failing`, `webhook.disabled`) is no record of a service, and is not
 * among them.
 */
export class EventReading {
  readonly #dependencies: SidesDependencies;
  /** Where a page begins that has events without a delivery, and which they are: they may have happened a moment ago. */
  #doubted: { readonly page: string; readonly subjects: ReadonlySet<string> } | null = null;

  constructor(dependencies: SidesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Begins a reading, unless one is under way or has begun since. */
  async begin(since: Date): Promise<void> {
    const { database, now } = this.#dependencies;
    const from = await readPlace<Reading>(database, name);
    const to = nextReading(from, { lists: lists.length, since, now: now() });
    if (to) await database.transaction(async (tx) => await movePlace(tx, { name, from, to }));
  }

  /** @returns whether there is more, or the page is to be read again in a while */
  async readPage(): Promise<'more' | 'again' | 'done'> {
    const { database, sources, now } = this.#dependencies;
    const from = await readPlace<Reading>(database, name);
    const list = from && lists[from.list];
    if (!from || !list) return 'done';
    const { events, next } = await sources.eventPage({ ...list, after: from.after, ids: boundsOf(from, list.list) });
    const found = await missingOf(sources, list.environment, events);
    const page = `${from.part} ${from.list} ${from.after?.id ?? ''}`;
    const doubted = this.#doubted?.page === page ? this.#doubted.subjects : null;
    if (found.length > 0 && !doubted) {
      this.#doubted = { page, subjects: new Set(found.map(({ subject }) => subject)) };
      return 'again';
    }
    // What has happened since the first look is as young as that was then; the next reading has it.
    const missing = found.filter(({ subject }) => doubted?.has(subject));
    const to = behindPage(from, { lists: lists.length, next, ids: events.map(({ recordId }) => recordId) });
    await database.transaction(async (tx) => {
      await movePlace(tx, { name, from, to });
      await openFindings(tx, missing, now());
    });
    return 'more';
  }
}
