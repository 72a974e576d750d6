import { type ReactNode, useState } from 'react';
import { ListName } from '#src/records/list-view.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './volumes.module.css';

/** A picture with its name, and its table below. */
export function VolumeFrame({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <article className={styles['card']}>
      <h3>{name}</h3>
      {children}
    </article>
  );
}

/** The figures of a picture, written once they are asked for. */
export function AsTable({ children }: { readonly children: ReactNode }) {
  const { texts } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.charts.table}</summary>
      {isOpen ? <ListName value={undefined}>{children}</ListName> : null}
    </details>
  );
}
