import type { ReactNode } from 'react';
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
