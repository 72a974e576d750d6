import { useNavigate } from '@tanstack/react-router';
import { AccountFrame } from '#src/accounts/account-frame.tsx';
import { ListCsv } from '#src/changes/list-csv.tsx';
import { listAccountActivity } from '#src/generated/sdk.gen.ts';
import type { ActivityRecord, Environment, ListAccountActivityData } from '#src/generated/types.gen.ts';
import { defined } from '#src/records/defined.ts';
import { kindOf } from '#src/records/describe-found.ts';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { foundColumns } from '#src/records/found-columns.tsx';
import { Filters, StateFilter } from '#src/records/list-head.tsx';
import { RecordLink } from '#src/records/record-link.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

export type ActivityQuery = Pick<NonNullable<ListAccountActivityData['query']>, 'environment' | 'cursor'>;

interface ShowAccountActivityProps {
  readonly id: string;
  readonly query: ActivityQuery;
}

const environments: Environment[] = ['live', 'test'];

/** What an account has done, of all kinds of record, newest first. */
export function ShowAccountActivity({ id, query }: ShowAccountActivityProps) {
  const { texts } = useOperatorTexts();
  const { accounts, facts } = texts;
  const navigate = useNavigate();
  const choose = (environment: Environment | undefined) =>
    void navigate({ to: '/accounts/$id/activity', params: { id }, search: defined<ActivityQuery>({ environment }) });
  return (
    <AccountFrame id={id}>
      {() => (
        <>
          <Filters>
            <StateFilter
              label={facts.environment}
              states={environments}
              words={texts.environment}
              chosen={query.environment}
              onChoose={choose}
            />
            <ListCsv
              name={`activity-${id}`}
              read={() => bodyOf(listAccountActivity({ path: { id }, ...wholeList(query) }))}
            />
          </Filters>
          <RecordList
            name={`activity ${id}`}
            query={query}
            read={(signal) => bodyOf(listAccountActivity({ path: { id }, query, signal }))}
            empty={() => accounts.activity.empty}
          >
            {(rows) => <Records rows={rows} />}
          </RecordList>
        </>
      )}
    </AccountFrame>
  );
}

function Records({ rows }: { readonly rows: readonly ActivityRecord[] }) {
  const { texts, language } = useOperatorTexts();
  const { accounts, facts } = texts;
  return (
    <RecordTable
      caption={accounts.activity.title}
      rows={rows}
      keyOf={({ id }) => id}
      besideOf={({ kind, id }) => (kind === 'orphan_receipt' ? `receipt.${id}` : id)}
      columns={[
        {
          heading: facts.record,
          show: ({ kind, id, environment }) => (
            <>
              <RecordLink kind={kind} id={id}>
                <code title={id}>{shortId(id)}</code>
              </RecordLink>{' '}
              {environment === null ? null : <EnvironmentBadge environment={environment} />}
            </>
          ),
        },
        { heading: facts.kind, show: (row) => kindOf(row, texts) },
        ...foundColumns(texts),
        { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
      ]}
    />
  );
}
