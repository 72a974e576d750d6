import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Changes } from '#src/changes/changes.tsx';
import { retryDeadLetter } from '#src/generated/sdk.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface RetrySelectedProps {
  /** The ids of those that wait and are selected. */
  readonly ids: readonly string[];
  /** One of them has been asked for. */
  readonly onRetried: (id: string) => void;
}

/** A letter that another person has decided since waits for nothing. */
async function isHandled(id: string): Promise<boolean> {
  try {
    return (await bodyOf(retryDeadLetter({ path: { id } }))).status === 'RETRIED';
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_STATE') return true;
    throw error;
  }
}

/**
 * Has the selected letters delivered again, one after the other, and says what became of them. Where one
 * cannot be asked for, those after it are not: they wait as before, and are still selected.
 */
export function RetrySelected({ ids, onRetried }: RetrySelectedProps) {
  const { texts } = useOperatorTexts();
  const { selection } = texts.letters;
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: async (chosen: readonly string[]) => {
      let handled = 0;
      for (const id of chosen) {
        if (await isHandled(id)) handled += 1;
        onRetried(id);
      }
      return { handled, waiting: chosen.length - handled };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['dead-letters'] }),
  });
  return (
    <Changes>
      {ids.length === 0 ? null : (
        <Button look="primary" busy={retry.isPending} onClick={() => retry.mutate(ids)}>
          {selection.retry(ids.length)}
        </Button>
      )}
      <p role="status">{retry.data === undefined ? '' : selection.retried(retry.data.handled, retry.data.waiting)}</p>
      {retry.error ? <Failed error={retry.error} /> : null}
    </Changes>
  );
}
