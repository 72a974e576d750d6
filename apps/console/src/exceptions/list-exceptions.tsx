import { Link } from '@tanstack/react-router';
import { ListCsv } from '#src/changes/list-csv.tsx';
import { aboutOf, toneOf } from '#src/exceptions/describe-exception.ts';
import { listExceptions } from '#src/generated/sdk.gen.ts';
import type { ListExceptionsData } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { shortId } from '#src/records/short-id.ts';
import { StateFilters } from '#src/records/state-filters.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge } from '#src/texts/time.ts';

export type ExceptionsQuery = NonNullable<ListExceptionsData['query']>;

/** Money that is not explained by all sides, newest first. */
export function ListExceptions({ query }: { readonly query: ExceptionsQuery }) {
  const { texts, language } = useOperatorTexts();
  const { exceptions, facts, records } = texts;
  return (
    <>
      <StateFilters title={exceptions.title} path="/exceptions" query={query} words={exceptions.status}>
        <ListCsv name="exceptions" read={() => bodyOf(listExceptions(wholeList(query)))} />
      </StateFilters>
      <RecordList
        name="exceptions"
        query={query}
        read={(signal) => bodyOf(listExceptions({ query, signal }))}
        empty={(checkedAt) => (query.status === 'OPEN' ? exceptions.allExplained(checkedAt) : exceptions.empty)}
      >
        {(rows, now) => (
          <RecordTable
            caption={exceptions.title}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                heading: exceptions.why,
                show: ({ id, reason, environment }) => (
                  <>
                    <Link to="/exceptions/$id" params={{ id }}>
                      {exceptions.reason[reason]}
                    </Link>{' '}
                    <EnvironmentBadge environment={environment} />
                  </>
                ),
              },
              {
                heading: facts.status,
                show: ({ status }) => <Status tone={toneOf[status]} word={exceptions.status[status]} />,
              },
              {
                heading: facts.amount,
                align: 'right',
                show: ({ amount_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
              },
              { heading: exceptions.about, show: ({ subject }) => <About subject={subject} /> },
              { heading: facts.provider, inCards: 'left out', show: ({ provider }) => provider },
              {
                heading: texts.stuck.since,
                show: ({ opened_at: at }) => records.age(formatAge(new Date(at), now, language)),
              },
            ]}
          />
        )}
      </RecordList>
    </>
  );
}

/** What it is about, in words, and what names that. */
function About({ subject }: { readonly subject: string }) {
  const { texts } = useOperatorTexts();
  const { item } = texts.exceptions;
  const about = aboutOf(subject, item);
  if (about === undefined) return <code>{subject}</code>;
  return (
    <>
      {item[about.kind]} <code title={subject}>{shortId(about.key)}</code>
    </>
  );
}
