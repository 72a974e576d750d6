import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import shellStyles from '#src/look/shell.module.css';
import { navigationFor } from '#src/operators/navigation.ts';
import { Live, LiveState } from '#src/live/live.tsx';
import { PageSkeleton } from '#src/records/page-states.tsx';
import { recordBeside } from '#src/operators/records-beside.ts';
import { SearchBox } from '#src/records/search-box.tsx';
import { Shortcuts } from '#src/records/shortcuts.tsx';
import { RecordsBeside } from '#src/records/side-panel.tsx';
import { SessionMenu } from '#src/session/session-menu.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import styles from './shell.module.css';

/** What stands around every page: where one is, search, and who one is. */
export function Shell() {
  const { texts } = useOperatorTexts();
  return (
    <Live stream="/ops/stream">
      <a className={shellStyles['skip']} href="#content">
        {texts.skip}
      </a>
      <header className={shellStyles['header']}>
        <Link to="/" className={shellStyles['brand']}>
          {texts.product}
        </Link>
        <LiveState />
        <SearchBox label={texts.search.label} placeholder={texts.search.placeholder} />
        <PageKeys />
        <SessionMenu />
      </header>
      <div className={styles['body']}>
        <Navigation />
        <main id="content" className={shellStyles['main']} tabIndex={-1}>
          <Suspense fallback={<PageSkeleton />}>
            <RecordsBeside value={recordBeside}>
              <Outlet />
            </RecordsBeside>
          </Suspense>
        </main>
      </div>
    </Live>
  );
}

/** The pages that the person may see, in groups; on a narrow screen behind a button. */
function Navigation() {
  const { texts } = useOperatorTexts();
  const { nav } = texts;
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOpen(false), [path]);
  return (
    <nav className={styles['nav']} aria-label={texts.product} data-open={isOpen}>
      <button type="button" className={styles['menu']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {nav.menu}
      </button>
      <div className={styles['groups']}>
        {navigationFor(may).map(({ name, pages }) => (
          <section key={name} className={styles['group']}>
            <h2>{nav.groups[name]}</h2>
            <ul>
              {pages.map(({ page, to, search = {} }) => (
                <li key={page}>
                  <Link to={to} search={search} activeOptions={{ exact: to === '/', includeSearch: false }}>
                    {nav[page]}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

/** Every page of the navigation has a letter, which leads there after `g`. */
function PageKeys() {
  const { texts } = useOperatorTexts();
  const router = useRouter();
  const may = useMay();
  const pages = navigationFor(may).flatMap((group) => group.pages);
  return (
    <Shortcuts
      pages={pages.map(({ page, key, to, search = {} }) => ({
        letter: key,
        name: texts.nav[page],
        go: () => void router.navigate({ to, search }),
      }))}
    />
  );
}
