import type { ReactNode } from 'react';
import { useLanguage } from '#src/texts/language.tsx';
import { formatAge } from '#src/texts/time.ts';
import styles from './record-page.module.css';

interface AttentionProps {
  /** Why it takes an operator, in a sentence. */
  readonly reason: string;
  /** Since when it does, where that is known. */
  readonly since?: string;
  /** What else is known of it. */
  readonly children?: ReactNode;
}

/** Why a record takes an operator, and since when. */
export function Attention({ reason, since, children }: AttentionProps) {
  const { texts, language } = useLanguage();
  const age = since === undefined ? '' : texts.records.age(formatAge(new Date(since), new Date(), language));
  return (
    <section className={styles['attention']}>
      <p className={styles['reason']}>{age === '' ? reason : `${reason} ${sentence(age)}`}</p>
      {children}
    </section>
  );
}

/** It stands alone behind the reason. */
function sentence(words: string): string {
  return `${words.charAt(0).toLocaleUpperCase()}${words.slice(1)}.`;
}
