import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '#src/look/button.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './look-up.module.css';

interface LookUpProps {
  /** Asks the provider now; the record is read again afterwards. */
  readonly ask: () => Promise<unknown>;
  readonly queryKey: readonly string[];
  /** Of the person who looks at it. */
  readonly permissions: Readonly<Record<string, string>>;
}

/** Has the provider asked about a record, by those who may. */
export function LookUp({ ask, queryKey, permissions }: LookUpProps) {
  const { texts } = useLanguage();
  const queries = useQueryClient();
  const lookUp = useMutation({ mutationFn: ask, onSettled: () => queries.invalidateQueries({ queryKey }) });
  if (!Object.hasOwn(permissions, 'operations:write')) return null;
  return (
    <section className={styles['look-up']}>
      <Button look="primary" busy={lookUp.isPending} onClick={() => lookUp.mutate()}>
        {texts.records.lookUp}
      </Button>
      <p role="status">{lookUp.isSuccess ? texts.records.lookedUp : ''}</p>
      {lookUp.error ? <Failed error={lookUp.error} /> : null}
    </section>
  );
}
