import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LiftFreeze } from '#src/accounts/freeze-account.tsx';
import { getAccount } from '#src/generated/sdk.gen.ts';
import type { Account, AccountFreeze, OperatorFreeze } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import recordStyles from '#src/records/record-page.module.css';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';
import styles from './account-frame.module.css';

interface AccountFrameProps {
  readonly id: string;
  readonly children: (account: Account) => ReactNode;
}

const currentPage = { 'aria-current': 'page' } as const;

/** What every page of an account has: its name, what is stopped in it, and the way to its other pages. */
export function AccountFrame({ id, children }: AccountFrameProps) {
  const { texts } = useOperatorTexts();
  const { accounts } = texts;
  const may = useMay();
  // A delivery has an address beside those of the endpoints.
  const isOfWebhooks = useRouterState({ select: ({ location }) => location.pathname.includes('/deliveries/') });
  return (
    <ShowRecord
      queryKey={['account', id]}
      read={(signal, headers) => bodyOf(getAccount({ path: { id }, signal, headers }))}
      heading={(account) => <Heading account={account} />}
    >
      {(account) => (
        <>
          <Frozen account={account} />
          <nav className={styles['tabs']} aria-label={account.name}>
            <Link to="/accounts/$id" params={{ id }} activeOptions={{ exact: true }}>
              {accounts.tabs.account}
            </Link>
            <Link to="/accounts/$id/activity" params={{ id }}>
              {accounts.tabs.activity}
            </Link>
            {may('balances:read') ? (
              <Link to="/accounts/$id/statement" params={{ id }}>
                {accounts.tabs.statement}
              </Link>
            ) : null}
            {may('accounts:read') ? (
              <Link to="/accounts/$id/access" params={{ id }}>
                {accounts.tabs.keys}
              </Link>
            ) : null}
            {may('webhooks:read') ? (
              <Link to="/accounts/$id/webhooks" params={{ id }} {...(isOfWebhooks ? currentPage : {})}>
                {accounts.tabs.webhooks}
              </Link>
            ) : null}
            {may('webhooks:read') ? (
              <Link to="/requests" search={{ account_id: id }}>
                {texts.nav.requests}
              </Link>
            ) : null}
          </nav>
          {children(account)}
        </>
      )}
    </ShowRecord>
  );
}

function Heading({ account: { id, name, frozen } }: { readonly account: Account }) {
  const { texts } = useOperatorTexts();
  const { accounts } = texts;
  return (
    <header className={recordStyles['heading']}>
      <title>{`${name} · ${texts.product}`}</title>
      <p className={recordStyles['kind']}>{accounts.one}</p>
      <h1>{name}</h1>
      <Status tone={frozen ? 'bad' : 'good'} word={frozen ? accounts.frozen : accounts.active} />
      <RecordId id={id} />
    </header>
  );
}

/** What is stopped, where, by whom and why: every page of the account begins with it. */
function Frozen({ account }: { readonly account: Account }) {
  const { texts } = useOperatorTexts();
  const { environment } = texts;
  const { frozen, frozen_environments: by } = account;
  const everywhere = frozen?.environment === null ? frozen : null;
  if (everywhere) return <Banner account={account} freeze={everywhere} where={texts.accounts.everywhere} />;
  return (
    <>
      {by.live ? <Banner account={account} freeze={by.live} where={environment.live} /> : null}
      {by.test ? <Banner account={account} freeze={by.test} where={environment.test} /> : null}
    </>
  );
}

interface BannerProps {
  readonly account: Account;
  readonly freeze: AccountFreeze | OperatorFreeze;
  readonly where: string;
}

function Banner({ account, freeze: { level, reason, by, at }, where }: BannerProps) {
  const { texts, language } = useOperatorTexts();
  const { accounts } = texts;
  const may = useMay();
  return (
    <section className={recordStyles['attention']}>
      <p className={recordStyles['reason']}>{accounts.banner(accounts.levels[level], where)}</p>
      <p>
        {accounts.frozenBy(by, reason)} · {formatTime(fromUnix(at), language)}
      </p>
      {may('accounts:propose') ? (
        <p>
          <LiftFreeze account={account} />
        </p>
      ) : null}
    </section>
  );
}
