import { listStatementFiles } from '#src/generated/sdk.gen.ts';
import type { ListStatementFilesData, StatementFile } from '#src/generated/types.gen.ts';
import { Status, type Tone } from '#src/look/status.tsx';
import { ImportFile } from '#src/reconciliation/import-file.tsx';
import { ProposeMapping } from '#src/reconciliation/propose-mapping.tsx';
import { ListHead } from '#src/records/list-head.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatDays, formatTime } from '#src/texts/time.ts';

export type FilesQuery = NonNullable<ListStatementFilesData['query']>;

const fileToneOf: Readonly<Record<StatementFile['state'], Tone>> = {
  RECEIVED: 'wait',
  IMPORTED: 'good',
  REFUSED: 'bad',
};

/** The files of statements that were sent, newest first, with what was read of them or why they were refused. */
export function ListFiles({ query }: { readonly query: FilesQuery }) {
  const { texts, language } = useOperatorTexts();
  const { facts } = texts;
  const { files } = texts.books;
  const may = useMay();
  return (
    <>
      <ListHead title={files.title}>
        {may('money:propose') ? <ProposeMapping /> : null}
        {may('operations:write') ? <ImportFile /> : null}
      </ListHead>
      <RecordList
        name="statement-files"
        query={query}
        read={(signal) => bodyOf(listStatementFiles({ query, signal }))}
        empty={() => files.empty}
      >
        {(rows) => (
          <RecordTable
            caption={files.title}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { heading: files.file, show: ({ id }) => <RecordId id={id} /> },
              {
                heading: facts.status,
                show: ({ state }) => <Status tone={fileToneOf[state]} word={files.state[state]} />,
              },
              { heading: facts.provider, show: ({ provider, currency }) => `${provider} ${currency}` },
              { heading: files.format, inCards: 'folded', show: ({ format }) => files.formats[format] },
              {
                heading: files.period,
                show: ({ summary }) => (summary ? formatDays(summary.from_day, summary.to_day, language) : '–'),
              },
              {
                heading: files.lines,
                show: ({ summary, refusal }) =>
                  refusal
                    ? files.refusal(refusal.line, refusal.field, refusal.reason)
                    : summary
                      ? files.newLines(summary.lines, summary.new_lines)
                      : '–',
              },
              { heading: files.by, inCards: 'folded', show: ({ uploaded_by: by }) => by },
              {
                heading: files.received,
                inCards: 'folded',
                show: ({ received_at: at }) => formatTime(new Date(at), language),
              },
            ]}
          />
        )}
      </RecordList>
    </>
  );
}
