import { Link, useNavigate } from '@tanstack/react-router';
import { ListCsv } from '#src/changes/list-csv.tsx';
import { listDeadLetters } from '#src/generated/sdk.gen.ts';
import type { DeadLetter, ListDeadLettersData } from '#src/generated/types.gen.ts';
import { letterToneOf, reasonLines } from '#src/letters/describe-letter.ts';
import { RetrySelected } from '#src/letters/retry-selected.tsx';
import { Button } from '#src/look/button.tsx';
import { Status } from '#src/look/status.tsx';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import lists from '#src/records/record-list.module.css';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable, type Selection } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useSelected } from '#src/records/use-selected.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, fromUnix } from '#src/texts/time.ts';
import styles from './letters.module.css';

export type LettersQuery = NonNullable<ListDeadLettersData['query']>;

const statuses = Object.keys(letterToneOf) as DeadLetter['status'][];

/** Messages that no service could handle, newest first. */
export function ListLetters({ query }: { readonly query: LettersQuery }) {
  const { texts } = useOperatorTexts();
  const { letters } = texts;
  const navigate = useNavigate();
  const may = useMay();
  const { ids, select, forget, selection } = useSelected<DeadLetter>(({ status }) => status === 'WAITING');
  const filter = (status: DeadLetter['status'] | undefined) => {
    const { cursor: _, status: __, ...rest } = query;
    void navigate({ to: '/dead-letters', search: status === undefined ? rest : { ...rest, status } });
  };
  return (
    <>
      <ListHead title={letters.title}>
        <StateFilter states={statuses} words={letters.status} chosen={query.status} onChoose={filter} />
        <ListCsv name="dead-letters" read={() => bodyOf(listDeadLetters(wholeList(query)))} />
      </ListHead>
      {may('operations:write') ? <RetrySelected ids={ids} onRetried={forget} /> : null}
      <RecordList
        name="dead-letters"
        query={query}
        read={(signal) => bodyOf(listDeadLetters({ query, signal }))}
        empty={(checkedAt) => (query.status === 'WAITING' ? letters.nothing(checkedAt) : letters.empty)}
      >
        {(rows, now) => <LetterTable rows={rows} now={now} selection={selection} onSelect={select} />}
      </RecordList>
    </>
  );
}

interface LetterTableProps {
  readonly rows: readonly DeadLetter[];
  readonly now: Date;
  readonly selection: Selection<DeadLetter>;
  readonly onSelect: (ids: readonly string[]) => void;
}

function LetterTable({ rows, now, selection, onSelect }: LetterTableProps) {
  const { texts, language } = useOperatorTexts();
  const { letters, facts, records } = texts;
  const may = useMay();
  const waiting = rows.filter(selection.isOffered).map(({ id }) => id);
  return (
    <>
      {may('operations:write') && waiting.length > 1 ? (
        <p className={lists['selected']}>
          <Button onClick={() => onSelect(waiting)}>{letters.selection.all}</Button>
        </p>
      ) : null}
      <RecordTable
        caption={letters.title}
        rows={rows}
        keyOf={({ id }) => id}
        selection={may('operations:write') ? selection : undefined}
        columns={[
          {
            heading: letters.one,
            show: ({ id }) => (
              <Link to="/dead-letters/$id" params={{ id }}>
                <code title={id}>{shortId(id)}</code>
              </Link>
            ),
          },
          {
            heading: facts.status,
            show: ({ status }) => <Status tone={letterToneOf[status]} word={letters.status[status]} />,
          },
          { heading: letters.service, inCards: 'left out', show: ({ service }) => service },
          { heading: letters.subject, show: ({ subject }) => <code>{subject}</code> },
          { heading: letters.reason, show: ({ reason }) => <Reason reason={reason} /> },
          { heading: letters.deliveries, align: 'right', show: ({ deliveries }) => deliveries },
          {
            heading: texts.stuck.since,
            show: ({ created_at: at }) => records.age(formatAge(fromUnix(at), now, language)),
          },
        ]}
      />
    </>
  );
}

/** The first thing that was wrong, and how many more there are; the whole of it is on the page of the message. */
function Reason({ reason }: { readonly reason: string }) {
  const [first, ...others] = reasonLines(reason);
  return (
    <span className={styles['reason']} title={reason}>
      {first}
      {others.length === 0 ? '' : ` (+${others.length})`}
    </span>
  );
}
