import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { Status } from '#src/look/status.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { CreateKey } from '#src/merchants/developers/create-key.tsx';
import { KeyUsageLately } from '#src/merchants/developers/key-usage.tsx';
import {
  type Key,
  keysKey,
  type KeysQuery,
  keyToneOf,
  listKeys,
  nameOf,
  stateOf,
} from '#src/merchants/developers/keys.ts';
import { ClearFilters, useFilter } from '#src/merchants/list-filters.tsx';
import { RefusedLately } from '#src/merchants/requests/refused-lately.tsx';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import page from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatAge, formatTime, fromUnix } from '#src/texts/time.ts';

const states = ['active', 'revoked'] as const;

/** The developers' overview: the keys of the account in this mode, and what they were refused lately. */
export function ListKeys({ query }: { readonly query: KeysQuery }) {
  const { texts } = useMerchantTexts();
  const { developers, records } = texts;
  const { environment } = useWorkplace();
  const filter = useFilter();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={page['page']}>
      <ListHead title={developers.title}>
        <StateFilter
          states={states}
          words={developers.state}
          chosen={query.status}
          onChoose={(status) => filter({ status })}
        />
        <ClearFilters query={{ ...query }} />
        <Button look="primary" onClick={() => setOpen(true)}>
          {developers.create.open}
        </Button>
      </ListHead>
      <RecordList
        name={keysKey}
        query={query}
        read={(signal) => listKeys(query, signal)}
        empty={() => (Object.keys(query).length > 0 ? records.empty : developers.first[environment])}
      >
        {(rows, now) => <KeyTable rows={rows} now={now} />}
      </RecordList>
      <KeyUsageLately />
      <RefusedLately />
      <CreateKey open={isOpen} onClose={() => setOpen(false)} />
    </div>
  );
}

interface KeyTableProps {
  readonly rows: readonly Key[];
  readonly now: Date;
}

function KeyTable({ rows, now }: KeyTableProps) {
  const { texts, language } = useMerchantTexts();
  const { developers, facts } = texts;
  return (
    <RecordTable
      caption={developers.title}
      rows={rows}
      keyOf={({ public_key: id }) => id}
      columns={[
        {
          heading: developers.name,
          show: (key) => (
            <Link to="/developers/$id" params={{ id: key.public_key }}>
              {nameOf(key)}
            </Link>
          ),
        },
        {
          heading: facts.status,
          show: (key) => <Status tone={keyToneOf[stateOf(key)]} word={developers.state[stateOf(key)]} />,
        },
        {
          heading: facts.key,
          inCards: 'left out',
          show: ({ public_key: id }) => <code title={id}>{shortId(id)}</code>,
        },
        {
          heading: developers.may,
          show: ({ scopes }) => (scopes === null ? developers.everything : developers.scopesOf(scopes.length)),
        },
        {
          heading: developers.used,
          show: ({ last_used_at: at }) =>
            at === null ? developers.neverUsed : developers.ago(formatAge(fromUnix(at), now, language)),
        },
        { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
      ]}
    />
  );
}
