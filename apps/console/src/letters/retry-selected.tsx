import { Changes } from '#src/changes/changes.tsx';
import { retryDeadLetter } from '#src/generated/sdk.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Failed } from '#src/records/page-states.tsx';
import styles from '#src/records/record-list.module.css';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useOneAfterOther } from '#src/records/use-one-after-other.ts';
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
  const retry = useOneAfterOther({ act: isHandled, onDone: onRetried, queryKey: ['dead-letters'] });
  const handled = retry.data?.filter(Boolean).length ?? 0;
  return (
    <div className={styles['selected']}>
      <Changes>
        {ids.length === 0 ? null : (
          <Button look="primary" busy={retry.isPending} onClick={() => retry.mutate(ids)}>
            {selection.retry(ids.length)}
          </Button>
        )}
        <p role="status">{retry.data === undefined ? '' : selection.retried(handled, retry.data.length - handled)}</p>
        {retry.error ? <Failed error={retry.error} /> : null}
      </Changes>
    </div>
  );
}
