import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listEvents } from '#src/generated/merchants/sdk.gen.ts';
import type { Event } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import type { EventsQuery } from '#src/merchants/addresses.ts';
import { contract } from '#src/merchants/contract.ts';
import { type EventFilter, eventsOf, filters, kinds } from '#src/merchants/events/describe-event.ts';
import { RecordOfEvent } from '#src/merchants/events/record-of-event.tsx';
import { ReplayEvents } from '#src/merchants/events/replay-events.tsx';
import {
  ClearFilters,
  ownZone,
  PeriodFilter,
  rowsPerPage,
  TextFilter,
  useFilter,
} from '#src/merchants/list-filters.tsx';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import type { MerchantTexts } from '#src/texts/merchants-en.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** The event log: what happened to the records of the account, newest first, whether or not an endpoint received it. */
export function ListEvents({ query }: { readonly query: EventsQuery }) {
  const { texts } = useMerchantTexts();
  const { events, records, webhooks } = texts;
  const { may } = useWorkplace();
  const filter = useFilter();
  const [isOpen, setOpen] = useState(false);
  const isFiltered = Object.keys(query).length > 0;
  const { event, ...others } = query;
  // The server answers 400 to a name that it does not know.
  const chosen = event as EventFilter | undefined;
  const asked = { ...others, ...(chosen ? { event: [chosen] } : {}), limit: rowsPerPage, zone: ownZone() };
  return (
    <div>
      <ListHead title={events.title}>
        <StateFilter
          label={webhooks.event}
          states={filters}
          words={filterWords(events.kinds)}
          chosen={chosen}
          onChoose={(name) => filter({ event: name })}
        />
        <TextFilter label={texts.facts.record} name="data_id" value={query.data_id} />
        <PeriodFilter query={query} />
        <ClearFilters query={query} />
        {may('webhooks:write') ? <Button onClick={() => setOpen(true)}>{events.replay.open}</Button> : null}
      </ListHead>
      <RecordList
        name="events"
        follows={['']}
        query={query}
        read={(signal) => bodyOf(listEvents({ query: asked, headers: contract, signal }))}
        empty={() => (isFiltered ? records.empty : events.first)}
      >
        {(rows) => <EventTable rows={rows} />}
      </RecordList>
      <ReplayEvents open={isOpen} onClose={() => setOpen(false)} />
    </div>
  );
}

/** What the filters are called: a kind by its word, an event by its name, as it is in the merchant's code. */
function filterWords(words: MerchantTexts['events']['kinds']): Readonly<Record<EventFilter, string>> {
  const named = kinds.flatMap((kind) => [
    [`${kind}.*`, words[kind]] as const,
    ...eventsOf(kind).map((event) => [event, event] as const),
  ]);
  return Object.fromEntries(named) as Record<EventFilter, string>;
}

function EventTable({ rows }: { readonly rows: readonly Event[] }) {
  const { texts, language } = useMerchantTexts();
  const { events, facts, webhooks } = texts;
  return (
    <RecordTable
      caption={events.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: webhooks.event,
          show: ({ id, event }) => (
            <Link to="/events/$id" params={{ id }}>
              <code>{event}</code>
            </Link>
          ),
        },
        { heading: facts.record, show: ({ data_id: id }) => <RecordOfEvent id={id} /> },
        { heading: events.happened, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
      ]}
    />
  );
}
