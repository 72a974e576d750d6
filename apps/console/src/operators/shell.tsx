import { Link, Outlet } from '@tanstack/react-router';
import styles from '#src/look/shell.module.css';
import { SearchBox } from '#src/records/search-box.tsx';
import { Shortcuts } from '#src/records/shortcuts.tsx';
import { SessionMenu } from '#src/session/session-menu.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

/** What stands around every page: where one is, search, and who one is. */
export function Shell() {
  const { texts } = useOperatorTexts();
  const { nav } = texts;
  return (
    <>
      <a className={styles['skip']} href="#content">
        {texts.skip}
      </a>
      <header className={styles['header']}>
        <Link to="/" className={styles['brand']}>
          {texts.product}
        </Link>
        <SearchBox label={texts.search.label} placeholder={texts.search.placeholder} />
        <Shortcuts pages={[]} />
        <SessionMenu />
      </header>
      <nav className={styles['nav']} aria-label={texts.product}>
        <Link to="/" activeOptions={{ exact: true }}>
          {nav.overview}
        </Link>
        <Link to="/deposits">{nav.deposits}</Link>
        <Link to="/payouts">{nav.payouts}</Link>
        <Link to="/refunds">{nav.refunds}</Link>
        <Link to="/disputes">{nav.disputes}</Link>
        <Link to="/exceptions" search={{ status: 'OPEN' }} activeOptions={{ includeSearch: false }}>
          {nav.exceptions}
        </Link>
        <Link to="/approvals" search={{ state: 'PROPOSED' }} activeOptions={{ includeSearch: false }}>
          {nav.approvals}
        </Link>
      </nav>
      <main id="content" className={styles['main']} tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}
