import { useOwnAccounts, useWorkplace } from '#src/merchants/account/workplace.tsx';
import { Notice } from '#src/records/page-states.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';

/** What an operator has stopped in the account; on every page of it. */
export function FrozenNotice() {
  const { place } = useWorkplace();
  const { texts } = useMerchantTexts();
  const frozen = useOwnAccounts()?.find(({ id }) => id === place.accountId)?.frozen[place.environment];
  return frozen ? <Notice>{texts.account.frozen[frozen.level]}</Notice> : null;
}
