import type { TeamApproval } from '#src/merchants/approvals/team-approval.ts';
import { formatMoney } from '#src/money/format-money.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

/** What a proposal adds up to, in each currency of it. */
export function Totals({ totals }: Pick<TeamApproval, 'totals'>) {
  const { language } = useMerchantTexts();
  return totals.map(({ amount, currency }) => formatMoney(amount, currency, language)).join(' + ');
}
