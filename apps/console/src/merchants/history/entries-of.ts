import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listTransactions } from '#src/generated/merchants/sdk.gen.ts';
import type { LedgerEntryPage } from '#src/generated/merchants/types.gen.ts';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { bodyOf } from '#src/records/refusal.ts';

/**
 * The entries of a record, for those who may see balances. They are read again when the record changes; what was there stays
 * until then.
 *
 * @param state of the record
 */
export function useEntriesOf(id: string, state: string) {
  const { may } = useWorkplace();
  const { data, error, refetch } = useQuery({
    queryKey: ['entries-of', id, state],
    placeholderData: keepPreviousData,
    enabled: may('balances:read'),
    queryFn: async ({ signal }) =>
      // Without a format the page is one of entries.
      (await bodyOf(listTransactions({ query: { ref_id: id }, headers: contract, signal }))) as LedgerEntryPage,
  });
  return { entries: data?.data ?? [], error, retry: () => void refetch() };
}
