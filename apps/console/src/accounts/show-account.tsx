import { Link } from '@tanstack/react-router';
import { AccountBalances } from '#src/accounts/account-balances.tsx';
import { AccountFrame } from '#src/accounts/account-frame.tsx';
import { AdjustBalance } from '#src/accounts/adjust-balance.tsx';
import { ChangeApproval, ChangeFees, ChangeLimits } from '#src/accounts/change-account.tsx';
import { ChangeDetails, ChangeTeam } from '#src/accounts/change-settings.tsx';
import { daysText, feeText, limitText } from '#src/accounts/describe-account.ts';
import { FreezeAccount } from '#src/accounts/freeze-account.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { getAccount } from '#src/generated/sdk.gen.ts';
import type { Account, Currency } from '#src/generated/types.gen.ts';
import { formatMoney } from '#src/money/format-money.ts';
import { Facts } from '#src/records/facts.tsx';
import { PersonalData } from '#src/records/personal-data.tsx';
import styles from '#src/records/record-page.module.css';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** One merchant's account: its money, what it may do, and what can be done about it. */
export function ShowAccount({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const { accounts, nav } = texts;
  const may = useMay();
  return (
    <AccountFrame id={id}>
      {(account) => (
        <>
          <Changes>
            {may('operations:write') ? <FreezeAccount account={account} /> : null}
            {may('money:propose') ? <AdjustBalance account={account} /> : null}
            {may('accounts:propose') || may('operations:write') ? <ChangeLimits account={account} /> : null}
            {may('accounts:propose') ? <ChangeFees account={account} /> : null}
            {may('accounts:propose') || may('operations:write') ? <ChangeApproval account={account} /> : null}
            {may('accounts:propose') || may('operations:write') ? <ChangeTeam account={account} /> : null}
            {may('accounts:propose') ? <ChangeDetails account={account} /> : null}
          </Changes>
          {may('balances:read') ? <AccountBalances accountId={id} /> : null}
          <Settings account={account} />
          {account.document !== null && may('pii:reveal') ? <Document id={id} /> : null}
          <section className={styles['section']}>
            <h2>{accounts.records}</h2>
            <p className={styles['links']}>
              <Link to="/deposits" search={{ account_id: id }}>
                {nav.deposits}
              </Link>
              <Link to="/payouts" search={{ account_id: id }}>
                {nav.payouts}
              </Link>
              <Link to="/refunds" search={{ account_id: id }}>
                {nav.refunds}
              </Link>
              <Link to="/disputes" search={{ account_id: id }}>
                {nav.disputes}
              </Link>
              <Link to="/approvals" search={{ account_id: id }}>
                {nav.approvals}
              </Link>
              {may('audit:read') ? (
                <Link to="/audit" search={{ account_id: id }}>
                  {nav.audit}
                </Link>
              ) : null}
            </p>
          </section>
        </>
      )}
    </AccountFrame>
  );
}

/** The document that is registered, unmasked. */
function Document({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  return (
    <PersonalData id={id} read={(headers, signal) => bodyOf(getAccount({ path: { id }, headers, signal }))}>
      {({ document }) => <Facts facts={[[texts.accounts.document, document]]} />}
    </PersonalData>
  );
}

function Settings({ account }: { readonly account: Account }) {
  const { texts, language } = useOperatorTexts();
  const { accounts, facts } = texts;
  const { fees, payout_limits: limits, rate_limit: rate, team_approval_over_cents: over } = account;
  const limitOf = (cents: number | null, currency: Currency) => limitText(cents, currency, language, accounts.noLimit);
  const number = new Intl.NumberFormat(language);
  return (
    <section className={styles['section']}>
      <h2>{accounts.settings}</h2>
      <Facts
        facts={[
          [accounts.document, account.document],
          [accounts.fees.deposit, feeText(fees.deposit, 'BRL', language)],
          [accounts.fees.payout, feeText(fees.payout, 'BRL', language)],
          ...(fees.MXN
            ? ([
                [`${accounts.fees.deposit} (MXN)`, feeText(fees.MXN.deposit, 'MXN', language)],
                [`${accounts.fees.payout} (MXN)`, feeText(fees.MXN.payout, 'MXN', language)],
              ] as const)
            : []),
          [accounts.perPayout, limitOf(limits.per_payout_cents, 'BRL')],
          [accounts.perDay, limitOf(limits.per_day_cents, 'BRL')],
          ...(limits.MXN
            ? ([
                [`${accounts.perPayout} (MXN)`, limitOf(limits.MXN.per_payout_cents, 'MXN')],
                [`${accounts.perDay} (MXN)`, limitOf(limits.MXN.per_day_cents, 'MXN')],
              ] as const)
            : []),
          [accounts.autoApprove, account.auto_approve_payouts ? accounts.yes : accounts.no],
          [
            accounts.team,
            over === null
              ? accounts.teamNone
              : over === 0
                ? accounts.teamAll
                : accounts.teamOver(formatMoney(over, 'BRL', language)),
          ],
          [
            accounts.retention,
            account.retention_days === 0 ? accounts.notRetained : daysText(account.retention_days, language),
          ],
          [accounts.rate, accounts.perSecond(number.format(rate.per_second), number.format(rate.burst))],
          [facts.created, formatTime(fromUnix(account.created_at), language)],
        ]}
      />
    </section>
  );
}
