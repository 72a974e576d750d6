import type { RecordFilter } from '@gateway/contracts/values';
import type { IdKind } from '@gateway/money';
import { idsWithin, type IdRange } from '#src/id-range.ts';

type Filter = Omit<RecordFilter, 'e2eId' | 'from' | 'to'>;
type Page = Pick<RecordFilter, 'from' | 'to'> & { readonly cursor?: string | undefined };

interface Followed {
  readonly depositId?: string | undefined;
  readonly attention?: boolean | undefined;
}

/** The conditions of an operator's filter on a table whose rows have these columns, and are found by id. */
export function wantedRecords(kind: IdKind, filter: Filter & Page & Followed): object[] {
  const { depositId, attention } = filter;
  return [
    ...wantedValues(filter),
    wantedIds(kind, filter),
    ...(depositId === undefined ? [] : [{ depositId }]),
    ...(attention === undefined ? [] : [{ attentionAt: attention ? { $ne: null } : null }]),
  ];
}

export function wantedValues(filter: Filter): object[] {
  const { environment, accountId, currency, provider, externalId, minAmount, maxAmount } = filter;
  const equal = { environment, accountId, currency, provider, externalId };
  return [
    Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined)),
    ...(minAmount === undefined ? [] : [{ amount: { $gte: minAmount } }]),
    ...(maxAmount === undefined ? [] : [{ amount: { $lte: maxAmount } }]),
  ];
}

/** The ids of a page, newest first: from the first moment of the filter on, and before the second. */
export function wantedIds(kind: IdKind, { cursor, from, to }: Page): { readonly id?: IdRange } {
  return idsWithin(kind, { cursor, from, to });
}
