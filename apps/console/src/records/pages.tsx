import { Link } from '@tanstack/react-router';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './pages.module.css';

interface PagesProps {
  /** The cursor of the next page; null on the last one. */
  readonly older: string | null;
  readonly isNewest: boolean;
}

/** From page to page of a list, keeping its filters: each page has an address. */
export function Pages({ older, isNewest }: PagesProps) {
  const { texts } = useLanguage();
  if (older === null && isNewest) return null;
  return (
    <nav className={styles['pages']}>
      {isNewest ? null : (
        <Link to="." search={(now) => ({ ...now, cursor: undefined })}>
          {texts.list.newer}
        </Link>
      )}
      {older === null ? null : (
        <Link to="." search={(now) => ({ ...now, cursor: older })}>
          {texts.list.older}
        </Link>
      )}
    </nav>
  );
}
