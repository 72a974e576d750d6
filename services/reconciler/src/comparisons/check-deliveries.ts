import type { RecordEvent, WebhookEvent } from '@gateway/contracts/webhooks';
import type { ItemKind } from '@gateway/contracts/reconciler';
import type { Currency } from '@gateway/money';
import type { Environment } from '@gateway/contracts/values';
import type { AskedPlaces } from '#src/comparisons/ask-again.ts';
import type { Fact } from '#src/matching/items.ts';
import type { MatchKey } from '#src/matching/match-key.ts';
import { closeFindings, openFindings, type Finding } from '#src/sides/findings.ts';
import { movePlace, readPlace } from '#src/sides/places.ts';
import type { SidesDependencies } from '#src/sides/read-ledger.ts';

const pageFacts = 400;
/** An event becomes a delivery within this time, whatever becomes of the delivery. */
const deliveredWithinMs = 60_000;

/** What an account's endpoints are informed of when the ledger has booked an item. */
const eventOf: Partial<Record<ItemKind, WebhookEvent>> = {
  payment: 'deposit.paid',
  payout: 'payout.paid',
  payout_return: 'payout.returned',
  dispute_return: 'med.lost',
};

interface Place {
  readonly sequence: number;
}

type Booked = Pick<Fact, 'kind' | 'currency' | 'occurredAt' | 'accountId' | 'recordId' | 'commandId'> & {
  readonly sequence: number;
};

const bookedSql = `
  select kind, currency, occurred_at as "occurredAt", account_id as "accountId", record_id as "recordId",
    command_id as "commandId", sequence
  from fact where side = 'L' and environment = $1 and sequence > $2 and occurred_at <= $3 order by sequence limit $4`;

/**
 * Asks what became of the events of what the ledger has booked, in its order. Each endpoint that should have one has a
 * delivery of it, or a reason why not; otherwise it is an exception until it has.
 *
 * @returns whether there may be more
 */
export async function checkDeliveries(
  { database, sources, now }: SidesDependencies,
  environment: Environment,
): Promise<boolean> {
  const name = `deliveries ${environment}`;
  const from = await readPlace<Place>(database, name);
  const until = new Date(now().getTime() - deliveredWithinMs);
  const booked = await database.query<Booked>(bookedSql, [environment, from?.sequence ?? 0, until, pageFacts]);
  // Facts of one decision are not divided between two pages.
  const cut = booked.length === pageFacts ? booked.at(-1)?.sequence : undefined;
  const page = booked.filter(({ sequence }) => sequence !== cut);
  const last = page.at(-1);
  if (!last) return false;
  const events = page.flatMap((fact) => toEvent(fact) ?? []);
  const missing = await missingOf(sources, environment, events);
  await database.transaction(async (tx) => {
    await movePlace(tx, { name, from, to: { sequence: last.sequence } });
    await openFindings(tx, missing, now());
  });
  return booked.length === pageFacts;
}

/**
 * Asks once more for what was missing: a delivery may have come late, or been sent again.
 *
 * @returns whether there is more
 */
export async function checkMissingDeliveries(
  { database, sources, now }: SidesDependencies,
  environment: Environment,
  places: AskedPlaces,
): Promise<boolean> {
  const round = `${environment} missing deliveries`;
  const open = await database.query<MatchKey & { id: string; accountId: string; openedAt: Date }>(
    `select id, environment, provider, currency, subject, account_id as "accountId", opened_at as "openedAt"
     from exception where reason = 'event_without_delivery' and state in ('OPEN', 'PROPOSED') and environment = $1
       and (opened_at, id) > ($2, $3)
     order by opened_at, id limit ${pageFacts}`,
    [environment, ...places.after(round)],
  );
  const last = open.length === pageFacts ? open.at(-1) : undefined;
  places.move(round, last && [last.openedAt, last.id]);
  const asked = open.map(({ subject, accountId, currency, openedAt }) => {
    const [, event = '', recordId = ''] = subject.split(':');
    return {
      accountId,
      recordId,
      event: event as WebhookEvent,
      currency: currency as Currency,
      atMs: openedAt.getTime(),
    };
  });
  if (asked.length === 0) return false;
  const outcomes = await sources.outcomes(environment, asked);
  const found = open.filter((_, index) => outcomes[index]?.destinations.every((each) => !isMissing(each)));
  await database.transaction(async (tx) => await closeFindings(tx, found, now()));
  return last !== undefined;
}

function toEvent({ kind, commandId, ...fact }: Booked): RecordEvent | undefined {
  const event = eventOf[kind];
  const { accountId, recordId, currency, occurredAt } = fact;
  // Money that belongs to no deposit has no event.
  if (!event || accountId === null || recordId === null || commandId?.startsWith('hold-receipt:')) return undefined;
  return { accountId, recordId, event, currency: currency as Currency, atMs: occurredAt.getTime() };
}

/** The events of which an endpoint lacks a delivery, without a reason. */
export async function missingOf(
  sources: SidesDependencies['sources'],
  environment: Environment,
  events: readonly RecordEvent[],
): Promise<Finding[]> {
  if (events.length === 0) return [];
  const outcomes = await sources.outcomes(environment, events);
  return events.flatMap(({ currency, accountId, event, recordId }, index) => {
    if (!outcomes[index]?.destinations.some(isMissing)) return [];
    const subject = `event:${event}:${recordId}`;
    const finding = { environment, provider: 'none', currency, subject, accountId, amount: 0, rAmount: 0, lAmount: 0 };
    return [{ ...finding, reason: 'event_without_delivery' as const }];
  });
}

function isMissing({ status, reason }: { readonly status: string | null; readonly reason: string | null }): boolean {
  return status === null && reason === null;
}
