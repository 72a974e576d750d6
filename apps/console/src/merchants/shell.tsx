import { Link, Outlet } from '@tanstack/react-router';
import styles from '#src/look/shell.module.css';
import { AccountSwitch } from '#src/merchants/account/account-switch.tsx';
import { FrozenNotice } from '#src/merchants/account/frozen-notice.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { SearchBox } from '#src/records/search-box.tsx';
import { SessionMenu } from '#src/session/session-menu.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import own from './shell.module.css';

/** What stands around every page: which account and which mode, search, and who one is. */
export function Shell() {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  return (
    <>
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
          <SearchBox label={texts.search.label} placeholder={texts.search.placeholder} />
          <SessionMenu />
        </div>
      </header>
      <Navigation />
      <main id="content" className={`${styles['main']} ${own['main']}`} tabIndex={-1}>
        <FrozenNotice />
        <Outlet />
      </main>
    </>
  );
}

function Navigation() {
  const { may } = useWorkplace();
  const { texts } = useMerchantTexts();
  const { nav } = texts;
  return (
    <nav className={styles['nav']} aria-label={texts.product}>
      <Link to="/" activeOptions={{ exact: true }}>
        {nav.home}
      </Link>
      <Link to="/payments">{nav.payments}</Link>
      <Link to="/payouts">{nav.payouts}</Link>
      <Link to="/approvals" search={{ state: 'PROPOSED' }} activeOptions={{ includeSearch: false }}>
        {nav.approvals}
      </Link>
      {may('balances:read') ? <Link to="/statement">{nav.statement}</Link> : null}
      <Link to="/disputes" search={{ status: 'OPEN' }} activeOptions={{ includeSearch: false }}>
        {nav.disputes}
      </Link>
      {may('webhooks:read') ? <Link to="/webhooks">{nav.webhooks}</Link> : null}
    </nav>
  );
}
