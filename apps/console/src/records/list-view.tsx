import { createContext, useContext, useState } from 'react';
import { type ListView, storedAs, viewIn } from '#src/records/stored-view.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './list-view.module.css';

/** The name of the list that a table is of; a table of no list is shown whole. */
export const ListName = createContext<string | undefined>(undefined);

/** How the list around is looked at in this browser, and what changes that for the next time too. */
export function useListView() {
  const name = useContext(ListName);
  const key = storedAs(name ?? '');
  const [view, setView] = useState<ListView>(() => viewIn(name === undefined ? null : localStorage.getItem(key)));
  const change = (changed: Partial<ListView>) => {
    const next = { ...view, ...changed };
    localStorage.setItem(key, JSON.stringify(next));
    setView(next);
  };
  return { view, change, isOfList: name !== undefined };
}

interface ViewChoiceProps {
  /** Of the columns that may be left out. */
  readonly headings: readonly string[];
  readonly view: ListView;
  readonly change: (changed: Partial<ListView>) => void;
}

/** Which columns a list has, and how high its rows are. */
export function ViewChoice({ headings, view: { hidden, isCompact }, change }: ViewChoiceProps) {
  const { texts } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const toggle = (heading: string, isShown: boolean) =>
    change({ hidden: isShown ? hidden.filter((each) => each !== heading) : [...hidden, heading] });
  return (
    <details className={styles['view']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.list.columns}</summary>
      {isOpen ? (
        <div className={styles['choices']}>
          {headings.map((heading) => (
            <label key={heading}>
              <input
                type="checkbox"
                checked={!hidden.includes(heading)}
                onChange={({ target }) => toggle(heading, target.checked)}
              />
              {heading}
            </label>
          ))}
          <label>
            <input
              type="checkbox"
              checked={isCompact}
              onChange={({ target }) => change({ isCompact: target.checked })}
            />
            {texts.list.compact}
          </label>
        </div>
      ) : null}
    </details>
  );
}
