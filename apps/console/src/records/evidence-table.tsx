import { Status } from '#src/look/status.tsx';
import { evidenceToneOf, fileToneOf } from '#src/records/dispute-tones.ts';
import { SectionName } from '#src/records/page-name.tsx';
import { Empty } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { type Column, RecordTable } from '#src/records/record-table.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import { formatTime } from '#src/texts/time.ts';

type EvidenceStatus = keyof typeof evidenceToneOf;
type FileStatus = keyof typeof fileToneOf;

interface Piece {
  readonly text: string;
  readonly status: EvidenceStatus;
  /** ISO 8601; null before it was handed to the provider. */
  readonly sent_at: string | null;
  readonly failure_message: string | null;
  readonly files: readonly { readonly id: string; readonly name: string; readonly status: FileStatus }[];
}

interface EvidenceTableProps<Evidence extends Piece> {
  readonly evidence: readonly Evidence[];
  readonly words: {
    readonly evidence: string;
    readonly evidenceText: string;
    readonly sentAt: string;
    readonly noEvidence: string;
    readonly evidenceStatus: Readonly<Record<EvidenceStatus, string>>;
    readonly files: string;
    readonly fileStatus: Readonly<Record<FileStatus, string>>;
  };
  /** What else is shown of each piece, behind its text. */
  readonly more?: readonly Column<Evidence>[];
}

/** What was sent for a dispute, and whether the provider has it. */
export function EvidenceTable<Evidence extends Piece>({ evidence, words, more = [] }: EvidenceTableProps<Evidence>) {
  const { texts, language } = useLanguage();
  const { facts, records } = texts;
  const hasFailed = evidence.some(({ failure_message: failure }) => failure !== null);
  const failures: readonly Column<Piece>[] = hasFailed
    ? [
        {
          heading: records.failure,
          show: ({ failure_message: failure }) => <span className={styles['wrapped']}>{failure ?? '–'}</span>,
        },
      ]
    : [];
  return (
    <section className={styles['section']}>
      <SectionName>{words.evidence}</SectionName>
      {evidence.length === 0 ? (
        <Empty>{words.noEvidence}</Empty>
      ) : (
        <RecordTable
          caption={words.evidence}
          rows={evidence.map((piece, index) => ({ ...piece, index }))}
          keyOf={({ index }) => String(index)}
          columns={[
            { heading: words.evidenceText, show: ({ text }) => <span className={styles['wrapped']}>{text}</span> },
            { heading: words.files, show: ({ files }) => <Files files={files} words={words.fileStatus} /> },
            ...more,
            {
              heading: facts.status,
              show: ({ status }) => <Status tone={evidenceToneOf[status]} word={words.evidenceStatus[status]} />,
            },
            ...failures,
            {
              heading: words.sentAt,
              show: ({ sent_at: at }) => (at === null ? '–' : formatTime(new Date(at), language)),
            },
          ]}
        />
      )}
    </section>
  );
}

interface FilesProps {
  readonly files: Piece['files'];
  readonly words: Readonly<Record<FileStatus, string>>;
}

/** Each file with what has become of it, which may differ from one to the next. */
function Files({ files, words }: FilesProps) {
  if (files.length === 0) return '–';
  return (
    <ul className={styles['rows']}>
      {files.map(({ id, name, status }) => (
        <li key={id}>
          {name} <Status tone={fileToneOf[status]} word={words[status]} />
        </li>
      ))}
    </ul>
  );
}
