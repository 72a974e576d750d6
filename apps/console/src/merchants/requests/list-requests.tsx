import { Link } from '@tanstack/react-router';
import { listRequests } from '#src/generated/merchants/sdk.gen.ts';
import type { LoggedRequest } from '#src/generated/merchants/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import type { RequestsQuery } from '#src/merchants/addresses.ts';
import { contract } from '#src/merchants/contract.ts';
import { ClearFilters, rowsPerPage, TextFilter, useFilter } from '#src/merchants/list-filters.tsx';
import { ListHead, ListNote, StateFilter } from '#src/records/list-head.tsx';
import { statusClasses, type StatusClass, toneOf, wordOf } from '#src/records/logged-requests.ts';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { shortId } from '#src/records/short-id.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** What the keys of the account asked and were answered, newest first. */
export function ListRequests({ query }: { readonly query: RequestsQuery }) {
  const { texts } = useMerchantTexts();
  const { requests, records } = texts;
  const { environment } = useWorkplace();
  const filter = useFilter();
  const isFiltered = Object.keys(query).length > 0;
  const asked = { ...query, limit: rowsPerPage };
  return (
    <div>
      <ListHead title={requests.title}>
        <StateFilter
          label={requests.answer}
          states={statusClasses}
          words={requests.classes}
          chosen={statusClasses.find((each) => each === query.status)}
          onChoose={(status?: StatusClass) => filter({ status })}
        />
        <TextFilter label={requests.code} name="code" value={query.code} />
        <TextFilter label={requests.path} name="path" value={query.path} />
        <TextFilter label={texts.states.requestId} name="request_id" value={query.request_id} />
        <TextFilter label={texts.facts.key} name="key" value={query.key} />
        <ClearFilters query={query} />
      </ListHead>
      <ListNote>{requests.kept[environment]}</ListNote>
      <RecordList
        name="requests"
        query={query}
        read={(signal) => bodyOf(listRequests({ query: asked, headers: contract, signal }))}
        empty={() => (isFiltered ? records.empty : requests.first)}
      >
        {(rows) => <Requests rows={rows} />}
      </RecordList>
    </div>
  );
}

function Requests({ rows }: { readonly rows: readonly LoggedRequest[] }) {
  const { texts, language } = useMerchantTexts();
  const { facts, requests } = texts;
  return (
    <RecordTable
      caption={requests.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: requests.one,
          show: ({ id, method, path }) => (
            <Link to="/requests/$id" params={{ id }}>
              <code>
                {method} {path}
              </code>
            </Link>
          ),
        },
        {
          heading: requests.answer,
          show: (request) => <Status tone={toneOf(request)} word={wordOf(request)} />,
        },
        { heading: facts.key, show: ({ key }) => <code title={key}>{shortId(key)}</code> },
        { heading: requests.took, align: 'right', show: ({ latency_ms: ms }) => `${Math.round(ms)} ms` },
        { heading: requests.at, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
      ]}
    />
  );
}
