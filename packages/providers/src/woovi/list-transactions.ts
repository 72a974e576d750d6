import { z } from 'zod';
import { pageOf, type MissingPage } from '#src/feed-rows.ts';
import type { CallOptions, Unavailable } from '#src/outcomes.ts';
import type { WooviConnection } from '#src/woovi/connection.ts';

/*
 * Woovi's lists of transactions and disputes take a period and no page: their answers say `hasNextPage`, and nothing that is
 * described asks for it. So a period whose answer is not complete is asked for in halves.
 */

const pageInfoSchema = z
  .object({ hasNextPage: z.boolean().catch(false) })
  .nullish()
  .transform((pageInfo) => pageInfo ?? { hasNextPage: false });

const listSchemas = {
  transaction: z
    .object({ transactions: z.array(z.unknown()), pageInfo: pageInfoSchema })
    .transform(({ transactions, pageInfo }) => ({ items: transactions, isCut: pageInfo.hasNextPage })),
  dispute: z
    .object({ disputes: z.array(z.unknown()), pageInfo: pageInfoSchema })
    .transform(({ disputes, pageInfo }) => ({ items: disputes, isCut: pageInfo.hasNextPage })),
} as const;

export interface WooviList {
  readonly list: keyof typeof listSchemas;
  readonly filter: Readonly<Record<string, string>>;
}

/** What an answer holds at most, by the published examples; a part with half of it is followed by one as wide. */
const fullItems = 100;

/** A part of a period, in milliseconds; the end is open. */
interface Part {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface WooviPart {
  readonly kind: 'page';
  readonly items: readonly unknown[];
  /** Where the next part begins and ends, as `place`; null at the end of the period. */
  readonly next: string | null;
}

/**
 * The items of the part that `place` names, from the whole period on. What an incomplete answer holds is given out too: the
 * same item may come again with the halves.
 */
export async function readPart(
  connection: WooviConnection,
  { list, filter, from, to, place }: WooviList & { readonly from: Date; readonly to: Date; readonly place?: string },
  options: CallOptions | undefined,
): Promise<WooviPart | MissingPage> {
  const whole = { fromMs: from.getTime(), toMs: Math.max(to.getTime(), from.getTime() + 1) };
  const part = partOf(place, whole);
  const search = new URLSearchParams({
    start: new Date(part.fromMs).toISOString(),
    // Whether it is closed is not described; what falls on it may be listed twice, which is harmless.
    end: new Date(part.toMs).toISOString(),
    ...filter,
  });
  const answer = await ask(connection, list, search, options);
  const widthMs = part.toMs - part.fromMs;
  const nextPart = (times: number) => placeOf({ fromMs: part.toMs, toMs: part.toMs + times * widthMs }, whole);
  if (answer.kind === 'unreadable') return { ...answer, next: nextPart(2) };
  if (answer.kind !== 'page') return answer;
  const { items, isCut } = answer.value;
  const next = nextPart(items.length > fullItems / 2 ? 1 : 2);
  if (!isCut) return { kind: 'page', items, next };
  const half = { fromMs: part.fromMs, toMs: part.fromMs + (widthMs >> 1) };
  if (widthMs > 1) return { kind: 'page', items, next: placeOf(half, whole) };
  return { kind: 'unreadable', cause: 'more happened in one millisecond than the list shows', next };
}

async function ask(
  connection: WooviConnection,
  list: WooviList['list'],
  search: URLSearchParams,
  options: CallOptions | undefined,
) {
  const schema: z.ZodType<{ readonly items: readonly unknown[]; readonly isCut: boolean }> = listSchemas[list];
  return pageOf(
    await connection.call({ method: 'GET', path: `/api/v1/${list}?${search.toString()}`, schema }, options),
  );
}

function placeOf({ fromMs, toMs }: Part, whole: Part): string | null {
  return fromMs >= whole.toMs ? null : `${fromMs}-${Math.min(toMs, whole.toMs)}`;
}

function partOf(place: string | undefined, whole: Part): Part {
  const [, fromMs, toMs] = /^(\d{1,15})-(\d{1,15})$/.exec(place ?? '') ?? [];
  const part = { fromMs: Number(fromMs), toMs: Number(toMs) };
  return part.fromMs >= whole.fromMs && part.toMs <= whole.toMs && part.fromMs < part.toMs ? part : whole;
}

const dayMs = 86_400_000;
/** Calls that one question may take. */
const callsMax = 60;

/** Every transaction of a charge or of a payment sent. A period is asked for only where one answer does not hold them all. */
export async function readTransactions(
  connection: WooviConnection,
  { filter, from }: { readonly filter: WooviList['filter']; readonly from: Date },
  options: CallOptions | undefined,
): Promise<{ readonly status: 'FOUND'; readonly items: readonly unknown[] } | Unavailable> {
  const period = { from: new Date(from.getTime() - dayMs), to: new Date(connection.now().getTime() + dayMs) };
  const all = await ask(connection, 'transaction', new URLSearchParams(filter), options);
  if (all.kind !== 'page') return { status: 'UNAVAILABLE', cause: all.cause };
  if (!all.value.isCut) return { status: 'FOUND', items: all.value.items };
  const items = new Map<string, unknown>();
  let place: string | undefined;
  for (let calls = 0; calls < callsMax; calls += 1) {
    const asked = { list: 'transaction', filter, ...period, ...(place === undefined ? {} : { place }) } as const;
    const part = await readPart(connection, asked, options);
    if (part.kind !== 'page') return { status: 'UNAVAILABLE', cause: part.cause };
    for (const item of part.items) items.set(JSON.stringify(item), item);
    if (part.next === null) return { status: 'FOUND', items: [...items.values()] };
    place = part.next;
  }
  return { status: 'UNAVAILABLE', cause: `the list is not complete after ${callsMax} calls` };
}
