import type { ReactNode } from 'react';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './lone-page.module.css';

interface LonePageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page of its own, for those who have not signed in. */
export function LonePage({ title, children }: LonePageProps) {
  const { texts } = useLanguage();
  return (
    <main id="content" tabIndex={-1} className={styles['page']}>
      <title>{`${title} · ${texts.product}`}</title>
      <p className={styles['product']}>{texts.product}</p>
      <div className={styles['card']}>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
