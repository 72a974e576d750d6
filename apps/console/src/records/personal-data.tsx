import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { Reveal, revealHeaders, useReveal } from '#src/records/reveal.tsx';

interface PersonalDataProps<Answer> {
  /** Of the record that the page shows. */
  readonly id: string;
  /** Reads the record with what is masked elsewhere on the page. */
  readonly read: (headers: Record<string, string>, signal: AbortSignal) => Promise<Answer>;
  readonly children: (answer: Answer) => ReactNode;
}

/**
 * What a record says of people, for those who may see it and say why. Each reading is in the audit trail, so it is read once
 * for its reason, and not again when the page is.
 */
export function PersonalData<Answer>({ id, read, children }: PersonalDataProps<Answer>) {
  const reveal = useReveal();
  const { reason } = reveal;
  const { data, error, refetch } = useQuery({
    queryKey: ['revealed', id, reason],
    queryFn: ({ signal }) => read(revealHeaders(reveal), signal),
    enabled: reason !== undefined,
    staleTime: 'static',
    // Nothing of it is left when the page is.
    gcTime: 0,
  });
  return (
    <section className={styles['section']}>
      <Reveal reveal={reveal} />
      {reason !== undefined && error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {reason !== undefined && !data && !error ? <Skeleton lines={2} /> : null}
      {data ? children(data) : null}
    </section>
  );
}
