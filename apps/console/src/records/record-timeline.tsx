import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TimelineAnswer } from '#src/generated/types.gen.ts';
import { SectionName } from '#src/records/page-name.tsx';
import { Failed, Incomplete, Skeleton } from '#src/records/page-states.tsx';
import { Timeline } from '#src/records/timeline.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import styles from './record-page.module.css';

interface RecordTimelineProps {
  /** Of the record: when it is read again, so is this. */
  readonly queryKey: readonly string[];
  /** Read again when it changes; what was there stays until then. */
  readonly state: string;
  readonly read: (signal: AbortSignal) => Promise<TimelineAnswer>;
}

/** What happened to a record, with the services named that did not answer in time. */
export function RecordTimeline({ queryKey, state, read }: RecordTimelineProps) {
  const { texts } = useOperatorTexts();
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKey, 'timeline', state],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read(signal),
  });
  return (
    <section className={styles['section']}>
      <SectionName>{texts.records.timeline}</SectionName>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data ? (
        <>
          <Incomplete services={data.incomplete} />
          <Timeline events={data.data} words={texts.happened} />
        </>
      ) : (
        <Skeleton />
      )}
    </section>
  );
}
