import type { StatementDryRun } from '#src/generated/types.gen.ts';
import { Money } from '#src/money/money.tsx';
import { Facts } from '#src/records/facts.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatDay, formatDays } from '#src/texts/time.ts';

interface ReadLinesProps {
  readonly read: StatementDryRun;
  readonly currency: string;
}

/** What a file says, before anything of it is kept. */
export function ReadLines({ read: { summary, lines }, currency }: ReadLinesProps) {
  const { texts, language } = useOperatorTexts();
  const { facts, books } = texts;
  const { files } = books;
  const money = (cents: number | null) => (cents === null ? '–' : <Money amount={cents} currency={currency} />);
  return (
    <section className={styles['section']} role="status">
      <h3>{files.send.wouldBe}</h3>
      <Facts
        facts={[
          [files.period, formatDays(summary.from_day, summary.to_day, language)],
          [files.lines, files.newLines(summary.lines, summary.new_lines)],
          [books.days.opening, money(summary.opening_cents)],
          [books.days.closing, money(summary.closing_cents)],
          [files.send.account, summary.account],
        ]}
      />
      {lines.length === 0 ? null : (
        <RecordTable
          caption={files.send.first}
          rows={lines}
          keyOf={({ line, document }) => `${line} ${document}`}
          columns={[
            { heading: books.days.day, show: ({ day }) => formatDay(day, language) },
            { heading: facts.amount, align: 'right', show: ({ amount_cents: cents }) => money(cents) },
            { heading: files.send.text, show: ({ type, text }) => `${type} ${text}` },
          ]}
        />
      )}
    </section>
  );
}
