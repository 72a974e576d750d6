import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { countFilters } from '#src/records/filter-values.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './list-head.module.css';

interface ListHeadProps {
  readonly title: string;
  /** What is done beside the list: above its filters, where these fill a line. */
  readonly actions?: ReactNode;
  /** The filters of the list, which are those of its address. */
  readonly children: ReactNode;
}

/** What stands above a list: its name and its filters. */
export function ListHead({ title, actions, children }: ListHeadProps) {
  const { texts } = useLanguage();
  return (
    <div className={styles['head']}>
      <title>{`${title} · ${texts.product}`}</title>
      <h1>{title}</h1>
      {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
      <Filters>{children}</Filters>
    </div>
  );
}

/**
 * The filters of a list in one row, each a label or a form, and what is done with the list. On a phone several filters are
 * folded into one line, which says how many are used, so that the page begins with the list.
 */
export function Filters({ children }: { readonly children: ReactNode }) {
  const { texts } = useLanguage();
  const id = useId();
  const [isFolded, fold] = useState(true);
  const used = countFilters(useSearch({ strict: false }));
  return (
    <div id={id} className={styles['filters']} data-filters="" data-folded={isFolded}>
      <button
        type="button"
        className={styles['unfold']}
        aria-expanded={!isFolded}
        aria-controls={id}
        onClick={() => fold(!isFolded)}
      >
        {used > 0 ? `${texts.list.filters} (${used})` : texts.list.filters}
      </button>
      {children}
    </div>
  );
}

interface StateFilterProps<State extends string> {
  /** Of what it is; left out where it is the state. */
  readonly label?: string;
  readonly states: readonly State[];
  readonly words: Readonly<Record<State, string>>;
  readonly chosen: State | undefined;
  readonly onChoose: (state: State | undefined) => void;
}

/** Records of one state, or of one of few other values, or of any. */
export function StateFilter<State extends string>(props: StateFilterProps<State>) {
  const { label, states, words, chosen, onChoose } = props;
  const { texts } = useLanguage();
  return (
    <label>
      <span>{label ?? texts.facts.status}</span>
      <select value={chosen ?? ''} onChange={({ target }) => onChoose(states.find((state) => state === target.value))}>
        <option value="">{texts.list.filterAny}</option>
        {states.map((state) => (
          <option key={state} value={state}>
            {words[state]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What has to be known of a list before it is read. */
export function ListNote({ children }: { readonly children: ReactNode }) {
  return <p className={styles['note']}>{children}</p>;
}
