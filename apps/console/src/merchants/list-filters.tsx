import { useNavigate } from '@tanstack/react-router';
import type { SyntheticEvent } from 'react';
import { StateFilter } from '#src/records/list-head.tsx';
import { filtersOfAmounts, type MoreFilter, MoreFilters } from '#src/records/more-filters.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './list-filters.module.css';

/** Of a list that is read page by page. */
export const rowsPerPage = 50;
/** Of a list that is read whole: as many as one answer has. */
export const rowsMax = 200;

/** What an address says of a list. */
interface Query {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
}

/** Changes the filters of the list that is shown, which begins anew then. */
export function useFilter() {
  const navigate = useNavigate();
  return (change: Readonly<Record<string, string | undefined>>) =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, ...change, cursor: undefined }) });
}

interface TextFilterProps {
  readonly label: string;
  readonly name: string;
  readonly value: string | undefined;
}

/** Records with exactly this text; Enter looks for them. */
export function TextFilter({ label, name, value = '' }: TextFilterProps) {
  const filter = useFilter();
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get(name);
    filter({ [name]: typeof typed === 'string' && typed.trim() !== '' ? typed.trim() : undefined });
  };
  return (
    <form onSubmit={submit} key={value}>
      <label>
        <span>{label}</span>
        <input type="search" name={name} defaultValue={value} className={styles['text']} autoComplete="off" />
      </label>
    </form>
  );
}

/** Records of these days, in the zone of the reader. */
export function PeriodFilter({ query }: { readonly query: Query }) {
  const { texts } = useMerchantTexts();
  const filter = useFilter();
  const dateOf = (value: string) => (value === '' ? undefined : value);
  return (
    <>
      <label>
        <span>{texts.period.from}</span>
        <input type="date" value={query.from ?? ''} onChange={({ target }) => filter({ from: dateOf(target.value) })} />
      </label>
      <label>
        <span>{texts.period.to}</span>
        <input type="date" value={query.to ?? ''} onChange={({ target }) => filter({ to: dateOf(target.value) })} />
      </label>
    </>
  );
}

interface RecordFiltersProps<State extends string> {
  readonly query: Query & { readonly status?: State | undefined; readonly external_id?: string | undefined };
  readonly words: Readonly<Record<State, string>>;
}

/** The filters of payments and of payouts: their state, the merchant's own reference, and the days. */
export function RecordFilters<State extends string>({ query, words }: RecordFiltersProps<State>) {
  const { texts } = useMerchantTexts();
  const filter = useFilter();
  return (
    <>
      <StateFilter
        states={Object.keys(words) as State[]}
        words={words}
        chosen={query.status}
        onChoose={(status) => filter({ status })}
      />
      <TextFilter label={texts.facts.externalId} name="external_id" value={query.external_id} />
      <PeriodFilter query={query} />
      <ClearFilters query={{ ...query }} />
    </>
  );
}

interface MoreRecordFiltersProps {
  readonly query: object;
  /** Whose document can be searched for. */
  readonly document: 'payer_document' | 'recipient_document';
  /** What records of this kind alone can be narrowed by. */
  readonly more?: readonly MoreFilter[];
}

/** What payments and payouts can be narrowed by besides: an end-to-end id, a person, an amount. */
export function MoreRecordFilters({ query, document, more = [] }: MoreRecordFiltersProps) {
  const { texts } = useMerchantTexts();
  return (
    <MoreFilters
      query={{ ...query }}
      filters={[
        { name: 'e2e_id', label: texts.facts.e2eId, kind: 'text' },
        { name: document, label: texts.list.document, kind: 'text' },
        ...filtersOfAmounts(texts),
        ...more,
      ]}
    />
  );
}

/** Shows everything again. */
export function ClearFilters({ query }: { readonly query: Readonly<Record<string, unknown>> }) {
  const { texts } = useMerchantTexts();
  const navigate = useNavigate();
  const isFiltered = Object.entries(query).some(([name, value]) => name !== 'cursor' && value !== undefined);
  if (!isFiltered) return null;
  return (
    <button type="button" className={styles['clear']} onClick={() => void navigate({ to: '.', search: {} })}>
      {texts.list.clear}
    </button>
  );
}

/** The zone in which dates are meant. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
