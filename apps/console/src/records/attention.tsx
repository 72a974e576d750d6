import type { ReactNode } from 'react';
import styles from './record-page.module.css';

interface AttentionProps {
  /** Why it takes an operator, in a sentence. */
  readonly reason: string;
  /** Since when, and what else is known of it. */
  readonly children?: ReactNode;
}

/** Why a record takes an operator. */
export function Attention({ reason, children }: AttentionProps) {
  return (
    <section className={styles['attention']}>
      <p className={styles['reason']}>{reason}</p>
      {children}
    </section>
  );
}
