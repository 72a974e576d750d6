import { useOwnAccounts, useWorkplace } from '#src/merchants/account/workplace.tsx';
import { Notice } from '#src/records/page-states.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** What an operator has stopped in the account, and whose sign-in operators reset; on every page of it. */
export function AccountNotices() {
  const { place } = useWorkplace();
  const { texts, language } = useMerchantTexts();
  const account = useOwnAccounts()?.find(({ id }) => id === place.accountId);
  const frozen = account?.frozen[place.environment];
  return (
    <>
      {frozen ? <Notice>{texts.account.frozen[frozen.level]}</Notice> : null}
      {account?.recoveries?.map(({ id, name, from, reset_at: at = null }) => (
        <Notice key={id}>
          {at === null
            ? texts.account.recovery(name, formatTime(fromUnix(from), language))
            : texts.account.recovered(name, formatTime(fromUnix(at), language))}
        </Notice>
      ))}
    </>
  );
}
