import type { ExceptionDetail } from '#src/generated/types.gen.ts';
import { Money } from '#src/money/money.tsx';
import { Empty } from '#src/records/page-states.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime } from '#src/texts/time.ts';

/** What each side has of a difference, the provider's lines first: what one of them lacks is what has to be found. */
export function ExceptionSides({ detail }: { readonly detail: ExceptionDetail }) {
  return (
    <>
      <Lines detail={detail} />
      <Sides detail={detail} />
      <Candidates detail={detail} />
    </>
  );
}

function Lines({ detail: { lines } }: { readonly detail: ExceptionDetail }) {
  const { texts, language } = useOperatorTexts();
  const { exceptions, facts } = texts;
  return (
    <section className={styles['section']}>
      <h2>{exceptions.lines}</h2>
      {lines.length === 0 ? (
        <Empty>{exceptions.noLines}</Empty>
      ) : (
        <RecordTable
          caption={exceptions.lines}
          rows={lines}
          keyOf={({ id }) => id}
          columns={[
            { heading: facts.kind, show: ({ kind }) => exceptions.item[kind] },
            {
              heading: facts.amount,
              align: 'right',
              show: ({ amount_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
            },
            { heading: exceptions.booked, show: ({ booked_at: at }) => formatTime(new Date(at), language) },
            { heading: facts.e2eId, show: ({ e2e_id: e2eId }) => (e2eId === null ? '–' : <RecordId id={e2eId} />) },
            { heading: exceptions.counterparty, show: ({ counterparty }) => counterparty ?? '–' },
            { heading: exceptions.raw, show: ({ raw, text }) => <code>{text ?? raw ?? '–'}</code> },
          ]}
        />
      )}
    </section>
  );
}

function Sides({ detail: { sides, exception } }: { readonly detail: ExceptionDetail }) {
  const { texts, language } = useOperatorTexts();
  const { exceptions, facts } = texts;
  return (
    <section className={styles['section']}>
      <h2>{exceptions.sides}</h2>
      {sides.length === 0 ? (
        <Empty>{exceptions.noSides}</Empty>
      ) : (
        <RecordTable
          caption={exceptions.sides}
          rows={sides}
          keyOf={({ side, key }) => `${side} ${key}`}
          columns={[
            { heading: facts.record, show: ({ side }) => exceptions.side[side] },
            { heading: facts.kind, show: ({ kind }) => exceptions.item[kind] },
            {
              heading: facts.amount,
              align: 'right',
              show: ({ amount_cents: amount }) => <Money amount={amount} currency={exception.currency} />,
            },
            { heading: facts.reference, show: ({ key }) => <RecordId id={key} /> },
            { heading: facts.e2eId, show: ({ e2e_id: e2eId }) => (e2eId === null ? '–' : <RecordId id={e2eId} />) },
            { heading: facts.created, show: ({ occurred_at: at }) => formatTime(new Date(at), language) },
          ]}
        />
      )}
    </section>
  );
}

function Candidates({ detail: { candidates, exception } }: { readonly detail: ExceptionDetail }) {
  const { texts, language } = useOperatorTexts();
  const { exceptions, facts } = texts;
  if (candidates.length === 0) return null;
  return (
    <section className={styles['section']}>
      <h2>{exceptions.candidates}</h2>
      <RecordTable
        caption={exceptions.candidates}
        rows={candidates}
        keyOf={({ with: name }) => name}
        columns={[
          { heading: exceptions.about, show: ({ subject }) => <RecordId id={subject} /> },
          {
            heading: facts.amount,
            align: 'right',
            show: ({ amount_cents: amount }) => <Money amount={amount} currency={exception.currency} />,
          },
          { heading: exceptions.counterparty, show: ({ counterparty }) => counterparty ?? '–' },
          { heading: facts.created, show: ({ occurred_at: at }) => formatTime(new Date(at), language) },
        ]}
      />
    </section>
  );
}
