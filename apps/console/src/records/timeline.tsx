import type { TimelineEvent } from '#src/generated/types.gen.ts';
import { Money } from '#src/money/money.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import { formatTime } from '#src/texts/time.ts';
import styles from './timeline.module.css';

interface TimelineProps {
  readonly events: readonly TimelineEvent[];
  /** What is called otherwise than the event says. */
  readonly words?: Readonly<Record<string, string>>;
}

/** What happened to a record, oldest first, as every part of the gateway knows it. */
export function Timeline({ events, words = {} }: TimelineProps) {
  const { texts, language } = useLanguage();
  const entries: Readonly<Record<string, string>> = texts.entries;
  return (
    <ol className={styles['timeline']}>
      {events.map((event, index) => (
        <li key={`${event.at} ${event.id ?? index}`} className={styles['event']} data-kind={event.kind}>
          <time dateTime={event.at}>{formatTime(new Date(event.at), language)}</time>
          <span className={styles['what']}>
            {event.kind === 'ledger' ? (entries[event.what] ?? event.what) : wordOf(event.what, words)}
            {event.by === null ? null : <span className={styles['by']}> · {event.by}</span>}
          </span>
          {event.amount_cents === null || event.currency === null ? null : (
            <Money amount={event.amount_cents} currency={event.currency} />
          )}
          {event.id === null ? null : <RecordId id={event.id} />}
        </li>
      ))}
    </ol>
  );
}

/** What it is called; `attention: outcome_unknown` by what stands before its reason, which the page of the record has. */
function wordOf(what: string, words: Readonly<Record<string, string>>): string {
  const [kind = what] = what.split(':');
  return words[what] ?? words[kind] ?? what;
}
