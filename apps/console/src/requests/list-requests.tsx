import { Link, useNavigate } from '@tanstack/react-router';
import { listRequests } from '#src/generated/sdk.gen.ts';
import type { ListRequestsData, LoggedRequest } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { defined } from '#src/records/defined.ts';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { ListHead, ListNote, StateFilter } from '#src/records/list-head.tsx';
import { statusClasses, type StatusClass, toneOf, wordOf } from '#src/records/logged-requests.ts';
import { Empty } from '#src/records/page-states.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { shortId } from '#src/records/short-id.ts';
import { TypedFilters } from '#src/records/typed-filters.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

export type RequestsQuery = NonNullable<ListRequestsData['query']>;

const typedFilters = ['account_id', 'request_id', 'key', 'code', 'path'] as const;
const environments = ['live', 'test'] as const;

/** What the keys of an account asked and were answered, or one request by its id: never of all accounts at once. */
export function ListRequests({ query }: { readonly query: RequestsQuery }) {
  const { texts } = useOperatorTexts();
  const { requests } = texts;
  const isAsked = query.account_id !== undefined || query.request_id !== undefined;
  return (
    <>
      <Filters key={JSON.stringify(query)} query={query} />
      <ListNote>{requests.kept}</ListNote>
      {isAsked ? (
        <RecordList
          name="requests"
          query={query}
          read={(signal) => bodyOf(listRequests({ query, signal }))}
          empty={() => requests.empty}
        >
          {(rows) => <RequestTable rows={rows} isOfOne={query.account_id !== undefined} />}
        </RecordList>
      ) : (
        <Empty>{requests.ofWhat}</Empty>
      )}
    </>
  );
}

function Filters({ query }: { readonly query: RequestsQuery }) {
  const { texts } = useOperatorTexts();
  const { requests, facts } = texts;
  const navigate = useNavigate();
  const { cursor: _, ...kept } = query;
  const filter = (change: Parameters<typeof defined<RequestsQuery>>[0]) =>
    void navigate({ to: '/requests', search: defined<RequestsQuery>({ ...kept, ...change }) });
  const labels = {
    ...{ account_id: facts.account, request_id: texts.states.requestId, key: texts.accounts.keys.key },
    ...{ code: requests.code, path: requests.path },
  };
  return (
    <ListHead title={requests.title}>
      <TypedFilters names={typedFilters} labels={labels} chosen={query} apply={texts.audit.apply} onApply={filter}>
        <StateFilter
          label={facts.environment}
          states={environments}
          words={texts.environment}
          chosen={query.environment}
          onChoose={(environment) => filter({ environment })}
        />
        <StateFilter
          label={requests.answer}
          states={statusClasses}
          words={requests.classes}
          chosen={statusClasses.find((each) => each === query.status)}
          onChoose={(status?: StatusClass) => filter({ status })}
        />
      </TypedFilters>
    </ListHead>
  );
}

interface RequestTableProps {
  readonly rows: readonly LoggedRequest[];
  /** The filter names the account already. */
  readonly isOfOne: boolean;
}

function RequestTable({ rows, isOfOne }: RequestTableProps) {
  const { texts, language } = useOperatorTexts();
  const { requests, facts } = texts;
  const may = useMay();
  return (
    <RecordTable
      caption={requests.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: requests.one,
          show: ({ method, path, query, environment }) => (
            <>
              <code>
                {method} {path}
                {query === null ? null : ` ${JSON.stringify(query)}`}
              </code>{' '}
              <EnvironmentBadge environment={environment} />
            </>
          ),
        },
        { heading: requests.answer, show: (request) => <Status tone={toneOf(request)} word={wordOf(request)} /> },
        ...(isOfOne
          ? []
          : [{ heading: facts.account, show: ({ account_id: id }: LoggedRequest) => <AccountLink id={id} /> }]),
        {
          heading: texts.accounts.keys.key,
          inCards: 'folded',
          show: ({ account_id: id, key }) =>
            may('accounts:read') ? (
              <Link to="/accounts/$id/access" params={{ id }}>
                <code title={key}>{shortId(key)}</code>
              </Link>
            ) : (
              <code title={key}>{shortId(key)}</code>
            ),
        },
        { heading: requests.from, inCards: 'folded', show: ({ address }) => address },
        {
          heading: requests.took,
          align: 'right',
          inCards: 'folded',
          show: ({ latency_ms: ms }) => `${Math.round(ms)} ms`,
        },
        { heading: texts.states.requestId, inCards: 'folded', show: ({ request_id: id }) => <RecordId id={id} /> },
        { heading: requests.at, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
      ]}
    />
  );
}
