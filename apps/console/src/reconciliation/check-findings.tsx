import { useQuery } from '@tanstack/react-query';
import { Change } from '#src/changes/change.tsx';
import { textIn } from '#src/changes/typed.ts';
import { listFindings, listProviders, setFindingNote } from '#src/generated/sdk.gen.ts';
import type { Finding as FindingRecord, ReconciliationCheck } from '#src/generated/types.gen.ts';
import { TextArea } from '#src/look/field.tsx';
import { Money } from '#src/money/money.tsx';
import { Finding } from '#src/reconciliation/finding.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime } from '#src/texts/time.ts';

const shownMax = 200;
const noteLengthMax = 2_000;

interface CheckFindingsProps {
  readonly run: string;
  readonly check: ReconciliationCheck;
}

/** What a check found, one by one with its note. Runs of earlier versions have the first few in words alone. */
export function CheckFindings({ run, check: { name, environment, findings } }: CheckFindingsProps) {
  const path = { id: run, name };
  const { data } = useQuery({
    queryKey: ['findings', run, name, environment],
    queryFn: ({ signal }) => bodyOf(listFindings({ path, query: { environment, limit: shownMax }, signal })),
  });
  const providers = useLiveProviders();
  const kept = data?.data ?? [];
  return (
    <ul className={styles['wrapped']}>
      {kept.length === 0
        ? findings.map((text) => (
            <li key={text}>
              <Finding text={text} providers={providers} />
            </li>
          ))
        : kept.map((finding) => (
            <li key={finding.id}>
              <Finding text={finding.text} providers={providers} /> <BankLine finding={finding} />{' '}
              <Note path={path} finding={finding} />
            </li>
          ))}
    </ul>
  );
}

function useLiveProviders(): readonly string[] {
  const { data } = useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => bodyOf(listProviders({ signal })),
  });
  return data?.data.filter(({ environment }) => environment === 'live').map(({ id }) => id) ?? [];
}

/** The line of the provider's statement in which the record is that it is about. */
function BankLine({ finding: { provider_line: line } }: { readonly finding: FindingRecord }) {
  const { texts, language } = useOperatorTexts();
  if (!line) return null;
  return (
    <span>
      {texts.books.line}: <Money amount={line.amount_cents} currency={line.currency} />,{' '}
      {formatTime(new Date(line.booked_at), language)} <RecordId id={line.id} />
    </span>
  );
}

interface NoteProps {
  readonly path: { readonly id: string; readonly name: ReconciliationCheck['name'] };
  readonly finding: FindingRecord;
}

/** What was found out about it, and the form in which it is written. */
function Note({ path, finding: { id, text, note } }: NoteProps) {
  const { texts } = useOperatorTexts();
  const { note: words } = texts.books;
  const may = useMay();
  return (
    <>
      {note === null ? null : <q>{words.by(note.by, note.text)}</q>}{' '}
      {may('operations:write') ? (
        <Change
          open={words.open}
          title={words.title}
          about={text}
          confirm={words.confirm}
          send={(typed) =>
            bodyOf(setFindingNote({ path: { ...path, finding: id }, body: { note: textIn(typed, 'note') } }))
          }
        >
          <TextArea name="note" label={words.label} defaultValue={note?.text} maxLength={noteLengthMax} required />
        </Change>
      ) : null}
    </>
  );
}
