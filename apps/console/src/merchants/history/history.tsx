import type { TimelineEvent } from '#src/generated/types.gen.ts';
import { SectionName } from '#src/records/page-name.tsx';
import { Failed } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { Timeline } from '#src/records/timeline.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface HistoryProps {
  readonly events: readonly TimelineEvent[];
  /** Why a part of them is missing. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** What happened to a record, as far as it could be read. */
export function History({ events, error, retry }: HistoryProps) {
  const { texts } = useMerchantTexts();
  return (
    <section className={styles['section']}>
      <SectionName>{texts.records.timeline}</SectionName>
      {error ? <Failed error={error} retry={retry} /> : null}
      <Timeline events={events} />
    </section>
  );
}
