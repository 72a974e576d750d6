import type { ListDepositsData } from '#src/generated/merchants/types.gen.ts';

export type PaymentsQuery = NonNullable<ListDepositsData['query']>;

/*
 * What an address may say of a list. The server answers 400 to a value that it does not know.
 */

export function paymentFilters(given: Given): PaymentsQuery {
  return textsIn(given, ['status', 'external_id', 'e2e_id', 'currency', 'from', 'to', 'cursor']);
}

type Given = Readonly<Record<string, unknown>>;

/** The router reads `1234` as a number, which an external_id may be. */
function textsIn(given: Given, names: readonly string[]): Record<string, string> {
  const pairs = names.map((name) => [name, given[name]] as const);
  const present = pairs.filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]));
}
