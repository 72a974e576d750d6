import { Link, linkOptions, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import styles from '#src/look/shell.module.css';
import { AccountSwitch } from '#src/merchants/account/account-switch.tsx';
import { AccountNotices } from '#src/merchants/account/account-notices.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { Live, LiveState } from '#src/live/live.tsx';
import { PageSkeleton } from '#src/records/page-states.tsx';
import { recordBeside } from '#src/merchants/records-beside.ts';
import { SearchBox } from '#src/records/search-box.tsx';
import { Shortcuts } from '#src/records/shortcuts.tsx';
import { RecordsBeside } from '#src/records/side-panel.tsx';
import { SessionMenu } from '#src/session/session-menu.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import own from './shell.module.css';

/** What stands around every page: which account and which mode, search, and who one is. */
export function Shell() {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  return (
    <Live stream="/stream">
      <a className={styles['skip']} href="#content">
        {texts.skip}
      </a>
      <header>
        {environment === 'test' ? <p className={own['test']}>{texts.environment.testBar}</p> : null}
        <div className={styles['header']}>
          <Link to="/" className={`${styles['brand']} ${own['brand']}`}>
            {texts.product}
          </Link>
          <AccountSwitch />
          <LiveState />
          <SearchBox label={texts.search.label} placeholder={texts.search.placeholder} />
          <PageKeys />
          <SessionMenu />
        </div>
      </header>
      <Navigation />
      <main id="content" className={`${styles['main']} ${own['main']}`} tabIndex={-1}>
        <AccountNotices />
        <Suspense fallback={<PageSkeleton />}>
          <RecordsBeside value={recordBeside}>
            <Outlet />
          </RecordsBeside>
        </Suspense>
      </main>
    </Live>
  );
}

const currentPage = { 'aria-current': 'page' } as const;

/** The pages that the person has, each with the letter that leads there after `g`. */
function usePages() {
  const { may } = useWorkplace();
  const { texts } = useMerchantTexts();
  const { nav } = texts;
  const whole = { includeSearch: false } as const;
  const pages = [
    { letter: 'h', name: nav.home, link: linkOptions({ to: '/', activeOptions: { exact: true, ...whole } }) },
    { letter: 'p', name: nav.payments, beside: '/branding', link: linkOptions({ to: '/payments' }) },
    { letter: 'o', name: nav.payouts, link: linkOptions({ to: '/payouts' }) },
    {
      letter: 'a',
      name: nav.approvals,
      link: linkOptions({ to: '/approvals', search: { state: 'PROPOSED' }, activeOptions: whole }),
    },
    { letter: 's', name: nav.statement, takes: 'balances:read', link: linkOptions({ to: '/statement' }) },
    {
      letter: 'd',
      name: nav.disputes,
      link: linkOptions({ to: '/disputes', search: { status: 'OPEN' }, activeOptions: whole }),
    },
    {
      letter: 'w',
      name: nav.webhooks,
      takes: 'webhooks:read',
      beside: '/deliveries/',
      link: linkOptions({ to: '/webhooks' }),
    },
    { letter: 'e', name: nav.events, takes: 'webhooks:read', link: linkOptions({ to: '/events' }) },
    {
      letter: 'v',
      name: nav.developers,
      takes: 'keys:read',
      beside: '/requests',
      link: linkOptions({ to: '/developers' }),
    },
    { letter: 't', name: nav.team, takes: 'team:read', link: linkOptions({ to: '/team' }) },
  ];
  return pages.filter(({ takes }) => takes === undefined || may(takes));
}

function Navigation() {
  const { texts } = useMerchantTexts();
  const nav = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // Where the pages do not fit beside each other, the one that is open is among those that are seen.
  useEffect(() => {
    const { current } = nav;
    const open = current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (current && open) current.scrollLeft = open.offsetLeft - (current.clientWidth - open.offsetWidth) / 2;
  }, [path]);
  return (
    <nav ref={nav} className={styles['nav']} aria-label={texts.product}>
      {usePages().map(({ letter, name, link, beside }) => (
        <Link key={letter} {...link} {...(beside !== undefined && path.includes(beside) ? currentPage : {})}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

function PageKeys() {
  const router = useRouter();
  const pages = usePages();
  return (
    <Shortcuts
      pages={pages.map(({ letter, name, link }) => ({ letter, name, go: () => void router.navigate(link) }))}
    />
  );
}
