import { useNavigate } from '@tanstack/react-router';
import type { SyntheticEvent } from 'react';
import type { Currency } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { exponents } from '#src/money/format-money.ts';
import { type FilterKind, storedOf, typedOf } from '#src/records/filter-values.ts';
import { textOf } from '#src/records/typed-text.ts';
import type { CommonTexts } from '#src/texts/common-en.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './more-filters.module.css';

/** One that is typed, or chosen of a few values. */
export interface MoreFilter {
  /** Its member of the address. */
  readonly name: string;
  readonly label: string;
  readonly kind: FilterKind;
  /** Each value with its word. */
  readonly values?: Readonly<Record<string, string>>;
}

interface MoreFiltersProps {
  readonly filters: readonly MoreFilter[];
  /** What the address says. */
  readonly query: Readonly<Record<string, unknown>>;
}

/** Filters that few searches take, folded away while none of them is used. They are applied together. */
export function MoreFilters({ filters, query }: MoreFiltersProps) {
  const { texts } = useLanguage();
  const navigate = useNavigate();
  const used = filters.filter(({ name }) => query[name] !== undefined).length;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const currency = currencyIn(textOf(typed.get('currency')));
    const chosen = filters.map(({ name, kind }) => [name, storedOf(kind, textOf(typed.get(name)) ?? '', currency)]);
    const change = Object.fromEntries(chosen) as object;
    void navigate({ to: '.', search: (now: object) => ({ ...now, ...change, cursor: undefined }) });
  };
  return (
    <details className={styles['more']} data-more-filters="" open={used > 0 ? true : undefined}>
      <summary>{used > 0 ? `${texts.list.more} (${used})` : texts.list.more}</summary>
      {/* Another address is another form. */}
      <form key={JSON.stringify(query)} onSubmit={submit}>
        {filters.map((filter) => (
          <label key={filter.name}>
            <span>{filter.label}</span>
            <Field filter={filter} query={query} />
          </label>
        ))}
        <Button type="submit">{texts.list.apply}</Button>
      </form>
    </details>
  );
}

/** From one amount to another, in one currency. */
export function filtersOfAmounts({ list }: Pick<CommonTexts, 'list'>): readonly MoreFilter[] {
  const currencies = Object.fromEntries(Object.keys(exponents).map((code) => [code, code]));
  return [
    { name: 'currency', label: list.currency, kind: 'text', values: currencies },
    { name: 'min_amount', label: list.amountFrom, kind: 'amount' },
    { name: 'max_amount', label: list.amountTo, kind: 'amount' },
  ];
}

interface FieldProps {
  readonly filter: MoreFilter;
  readonly query: Readonly<Record<string, unknown>>;
}

function Field({ filter: { name, kind, values }, query }: FieldProps) {
  const { texts } = useLanguage();
  const typed = typedOf(kind, query[name], currencyIn(query['currency']));
  if (values) {
    return (
      <select name={name} defaultValue={typed}>
        <option value="">{texts.list.filterAny}</option>
        {Object.entries(values).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
    );
  }
  if (kind === 'fromDay' || kind === 'untilDay') return <input type="date" name={name} defaultValue={typed} />;
  const mode = kind === 'amount' ? ({ inputMode: 'decimal' } as const) : {};
  return <input type="text" name={name} defaultValue={typed} autoComplete="off" spellCheck={false} {...mode} />;
}

/** In what amounts are meant. */
function currencyIn(given: unknown): Currency {
  return Object.keys(exponents).find((known): known is Currency => known === given) ?? 'BRL';
}
