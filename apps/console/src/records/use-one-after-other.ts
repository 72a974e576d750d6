import { useMutation, useQueryClient } from '@tanstack/react-query';

interface OneAfterOther<Item, Result> {
  readonly act: (item: Item) => Promise<Result>;
  /** It is done with this one. */
  readonly onDone: (item: Item) => void;
  /** What is read again once it is over, whatever became of it; everything without it. */
  readonly queryKey?: readonly string[];
}

/** Does the same with several, one after the other. Where one of them fails, those after it are left as they are. */
export function useOneAfterOther<Item, Result>({ act, onDone, queryKey }: OneAfterOther<Item, Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (items: readonly Item[]) => {
      const results: Result[] = [];
      for (const item of items) {
        results.push(await act(item));
        onDone(item);
      }
      return results;
    },
    onSettled: () => queries.invalidateQueries(queryKey === undefined ? {} : { queryKey }),
  });
}
