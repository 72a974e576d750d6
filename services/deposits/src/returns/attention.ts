import type { ReturnAttention, ReturnResolution } from '@gateway/contracts/deposits';
import { counter } from '@gateway/runtime';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

export type { ReturnAttention, ReturnResolution };

/** Of a return nobody has been asked about yet. */
export const notBegun = {
  callStartedAt: null,
  unknownSince: null,
  notFoundCount: 0,
  notFoundSince: null,
  recheckAt: null,
  rechecks: 0,
  attentionAt: null,
  attention: null,
  resolution: null,
} as const;

const contradictions = counter(
  'gateway_provider_contradictions_total',
  'Answers of providers that exclude what is on record: another amount, or another end',
  ['environment', 'record'],
);
for (const record of ['refund', 'orphan_receipt', 'dispute', 'payment']) {
  for (const environment of ['live', 'test']) contradictions.add(0, { environment, record });
}

/** What a provider says excludes what is on record: operators look at it, nothing is booked. */
export function alarm(
  { logger }: Pick<RoutingDependencies, 'logger'>,
  record: 'refund' | 'orphan_receipt' | 'dispute' | 'payment',
  { environment, id }: { readonly environment: string; readonly id: string },
  what: string,
): void {
  contradictions.add(1, { environment, record });
  logger.error({ record, recordId: id, what }, 'a provider contradicts what is on record');
}

interface NeedsAttention {
  attentionAt?: Date | null;
  attention?: ReturnAttention | null;
}

/** What operators are told first stays: the reason a record was frozen for is not covered by its age. */
export function attentionFor(row: NeedsAttention, attention: ReturnAttention, now: Date) {
  if (row.attentionAt && row.attention !== 'overdue') return {};
  return { attentionAt: row.attentionAt ?? now, attention };
}
