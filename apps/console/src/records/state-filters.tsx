import type { ReactNode } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { filtersOfAmounts, type MoreFilter, MoreFilters } from '#src/records/more-filters.tsx';
import type { CommonTexts } from '#src/texts/common-en.ts';
import { useLanguage } from '#src/texts/language.tsx';

interface Filters {
  readonly status?: string | undefined;
  readonly attention?: string | undefined;
  readonly cursor?: string | undefined;
}

interface StateFiltersProps<State extends string> {
  readonly title: string;
  readonly path: '/deposits' | '/refunds' | '/disputes' | '/payouts' | '/exceptions';
  readonly query: Filters & { readonly status?: State | undefined };
  readonly words: Readonly<Record<State, string>>;
  /** Whether the list can be of those alone that need an operator. */
  readonly hasAttention?: boolean;
  /** What this list alone can be narrowed by. */
  readonly more?: readonly MoreFilter[];
  /** What can be done with the list. */
  readonly children?: ReactNode;
}

/** What the lists of all records can be narrowed by. */
function filtersOfRecords({ facts, list, environment }: CommonTexts): readonly MoreFilter[] {
  const { live, test } = environment;
  const text = 'text';
  return [
    { name: 'environment', label: facts.environment, kind: text, values: { live, test } },
    { name: 'account_id', label: facts.account, kind: text },
    { name: 'provider', label: facts.provider, kind: text },
    { name: 'external_id', label: facts.externalId, kind: text },
    { name: 'e2e_id', label: facts.e2eId, kind: text },
    ...filtersOfAmounts({ list }),
    { name: 'from', label: list.from, kind: 'fromDay' },
    { name: 'to', label: list.to, kind: 'untilDay' },
  ];
}

/** The filters of a list of records: their state, and whether they need an operator. All of them are in its address. */
export function StateFilters<State extends string>(props: StateFiltersProps<State>) {
  const { title, path, query, words, hasAttention = false, more = [], children } = props;
  const { texts } = useLanguage();
  const navigate = useNavigate();
  const filter = (change: Filters) => {
    void navigate({ to: path, search: { ...query, ...change, cursor: undefined } as object });
  };
  const isFiltered = Object.keys(query).some((name) => name !== 'cursor');
  return (
    <>
      <ListHead title={title}>
        <StateFilter
          states={Object.keys(words) as State[]}
          words={words}
          chosen={query.status}
          onChoose={(status) => filter({ status })}
        />
        {hasAttention ? (
          <label>
            <input
              type="checkbox"
              checked={query.attention === 'true'}
              onChange={({ target }) => filter({ attention: target.checked ? 'true' : undefined })}
            />
            <span>{texts.records.stuck}</span>
          </label>
        ) : null}
        {isFiltered ? (
          <Link to={path} search={{}}>
            {texts.list.clear}
          </Link>
        ) : null}
        {children}
      </ListHead>
      {path === '/exceptions' ? null : (
        <MoreFilters filters={[...filtersOfRecords(texts), ...more]} query={{ ...query }} />
      )}
    </>
  );
}
