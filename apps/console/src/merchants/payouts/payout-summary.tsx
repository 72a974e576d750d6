import { useQuery } from '@tanstack/react-query';
import { getAccount, getBalance, listPayouts } from '#src/generated/merchants/sdk.gen.ts';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { feeOf } from '#src/money/fee.ts';
import { Money } from '#src/money/money.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Notice } from '#src/records/page-states.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const currency = 'BRL';
const headers = contract;

/** What payouts of these amounts cost, and what is available after them; undefined until it is known. */
export function usePayoutCosts(amounts: readonly number[]) {
  const { may } = useWorkplace();
  const account = useQuery({ queryKey: ['account'], queryFn: ({ signal }) => bodyOf(getAccount({ headers, signal })) });
  const balance = useQuery({
    queryKey: ['balance'],
    queryFn: ({ signal }) => bodyOf(getBalance({ headers, signal })),
    enabled: may('balances:read'),
  });
  const schedule = account.data?.fees.payout;
  const fee = schedule && amounts.reduce((sum, amount) => sum + feeOf(amount, schedule), 0);
  const available = balance.data?.brl?.available;
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  return { fee, after: available === undefined || fee === undefined ? undefined : available - total - fee };
}

interface PayoutSummaryProps {
  /** Undefined until an amount is typed. */
  readonly amount: number | undefined;
  /** As it is typed. */
  readonly document: string;
}

/** What a payout costs, what is available after it, and whether its recipient was paid before. */
export function PayoutSummary({ amount, document }: PayoutSummaryProps) {
  const { texts } = useMerchantTexts();
  const { propose: words } = texts.payouts;
  const { fee, after } = usePayoutCosts(amount === undefined ? [] : [amount]);
  const shown = (value: number | undefined) =>
    amount === undefined || value === undefined ? null : <Money amount={value} currency={currency} />;
  return (
    <>
      <Facts
        facts={[
          [texts.facts.fee, shown(fee)],
          [words.after, shown(after)],
        ]}
      />
      {amount !== undefined && after !== undefined && after < 0 ? <Notice>{words.tooMuch}</Notice> : null}
      <RecipientBefore document={document.replace(/\D/g, '')} />
    </>
  );
}

/** When the recipient was paid last, which a wrong document shows. */
function RecipientBefore({ document }: { readonly document: string }) {
  const { texts, language } = useMerchantTexts();
  const { propose: words } = texts.payouts;
  const { data } = useQuery({
    queryKey: ['payouts-to', document],
    enabled: document.length === 11 || document.length === 14,
    // A document with a wrong digit is none: the form says so when it is sent.
    retry: false,
    queryFn: ({ signal }) =>
      bodyOf(listPayouts({ query: { recipient_document: document, status: 'PAID', limit: 1 }, headers, signal })),
  });
  if (!data) return null;
  const [last] = data.data;
  return last ? (
    <p>{words.paidBefore(formatTime(fromUnix(last.created_at), language))}</p>
  ) : (
    <Notice>{words.newRecipient}</Notice>
  );
}
