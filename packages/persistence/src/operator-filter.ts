import type { RecordFilter } from '@gateway/contracts/values';
import { idLowerBound, type IdKind } from '@gateway/money';

/** Longest time of a list for operators; callers wait five seconds. */
export const operatorReadMs = 4_000;

type Filter = Pick<
  RecordFilter,
  'environment' | 'accountId' | 'currency' | 'provider' | 'externalId' | 'from' | 'to' | 'minAmount' | 'maxAmount'
>;

/**
 * The conditions of an operator's filter on a table whose rows have these columns. Ids carry the time of creation, so a
 * range of time is a range of ids.
 */
export function wantedRecords(kind: IdKind, filter: Filter & { readonly cursor?: string | undefined }): object[] {
  const { environment, accountId, currency, provider, externalId, cursor, from, to, minAmount, maxAmount } = filter;
  const equal = { environment, accountId, currency, provider, externalId };
  return [
    Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined)),
    ...(cursor === undefined ? [] : [{ id: { $lt: cursor } }]),
    ...(from === undefined ? [] : [{ id: { $gte: idLowerBound(kind, from * 1_000) } }]),
    ...(to === undefined ? [] : [{ id: { $lt: idLowerBound(kind, (to + 1) * 1_000) } }]),
    ...(minAmount === undefined ? [] : [{ amount: { $gte: minAmount } }]),
    ...(maxAmount === undefined ? [] : [{ amount: { $lte: maxAmount } }]),
  ];
}
