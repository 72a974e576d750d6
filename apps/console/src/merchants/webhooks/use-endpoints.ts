import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listWebhooks } from '#src/generated/merchants/sdk.gen.ts';
import { contract } from '#src/merchants/contract.ts';
import { rowsMax } from '#src/merchants/list-filters.tsx';
import { bodyOf } from '#src/records/refusal.ts';

const queryKey = ['endpoints'] as const;

/** The endpoints of the account, for those who may see them. */
export function useEndpoints(enabled = true) {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => bodyOf(listWebhooks({ query: { limit: rowsMax }, headers: contract, signal })),
    enabled,
  });
}

/** Reads them again, after a change. */
export function useEndpointsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey });
}
