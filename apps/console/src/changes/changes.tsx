import type { ReactNode } from 'react';
import styles from './changes.module.css';

/** The buttons of what can be changed here, the most frequent first. */
export function Changes({ children }: { readonly children: ReactNode }) {
  return <div className={styles['buttons']}>{children}</div>;
}
