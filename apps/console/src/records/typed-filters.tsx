import type { ReactNode } from 'react';
import { Button } from '#src/look/button.tsx';
import { textOf } from '#src/records/typed-text.ts';
import styles from './typed-filters.module.css';

interface TypedFiltersProps<Name extends string> {
  readonly names: readonly Name[];
  readonly labels: Readonly<Record<Name, string>>;
  readonly chosen: Readonly<Partial<Record<Name, string | undefined>>>;
  /** What the button says that applies them. */
  readonly apply: string;
  readonly onApply: (typed: Readonly<Record<string, string | undefined>>) => void;
  /** Filters that are chosen instead of typed, which apply at once. */
  readonly children: ReactNode;
}

/** Filters that are typed, and applied together: one that is empty is none. */
export function TypedFilters<Name extends string>(props: TypedFiltersProps<Name>) {
  const { names, labels, chosen, apply, onApply, children } = props;
  return (
    <form
      className={styles['filters']}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        onApply(Object.fromEntries(names.map((name) => [name, textOf(typed.get(name))])));
      }}
    >
      {names.map((name) => (
        <label key={name}>
          <span>{labels[name]}</span>
          <input type="text" name={name} defaultValue={chosen[name] ?? ''} autoComplete="off" spellCheck={false} />
        </label>
      ))}
      {children}
      <Button type="submit">{apply}</Button>
    </form>
  );
}
