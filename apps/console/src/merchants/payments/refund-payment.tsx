import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createRefund, getBalance } from '#src/generated/merchants/sdk.gen.ts';
import type { Balance, Deposit } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { TextField } from '#src/look/field.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { AmountField } from '#src/merchants/amount-field.tsx';
import { proposalIn } from '#src/merchants/approvals/team-approval.ts';
import { contract } from '#src/merchants/contract.ts';
import { currencyOf } from '#src/merchants/home/currencies.ts';
import { formatMoney } from '#src/money/format-money.ts';
import { typedMinorUnits } from '#src/money/minor-units.ts';
import { Money } from '#src/money/money.tsx';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { Facts } from '#src/records/facts.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface Typed {
  readonly externalId: string;
  readonly amount: string;
  readonly reason: string;
}

const nothing: Typed = { externalId: '', amount: '', reason: '' };

interface RefundPaymentProps {
  readonly deposit: Deposit;
  readonly queryKey: readonly string[];
}

/** Sends a payment back, in whole or in part: proposed to the others of the account, or done where one person may. */
export function RefundPayment({ deposit, queryKey }: RefundPaymentProps) {
  const { texts, language } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { refund: words } = texts.payments;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState(nothing);
  const { id, currency, amount, refunded } = deposit;
  const units = typedMinorUnits(typed.amount, currency);
  const refund = useMutation({
    mutationFn: () => {
      const { externalId: external_id, reason } = typed;
      // Without an amount all that is left goes back, as the server knows it.
      const body = { external_id, ...(units === undefined ? {} : { amount: units }), ...(reason ? { reason } : {}) };
      return bodyOf(createRefund({ path: { id }, body, headers: contract }));
    },
    onSuccess: async (answer) => {
      setOpen(false);
      const proposal = proposalIn(answer);
      if (proposal) await navigate({ to: '/approvals/$id', params: { id: proposal.id } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  const isTyped = typed.amount === '' || units !== undefined;
  const faults = refund.error instanceof Refusal ? refund.error.faults : {};
  const type = (change: Partial<Typed>) => setTyped((now) => ({ ...now, ...change }));
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.open}</Button>
      <DialogForm
        open={isOpen}
        onClose={() => setOpen(false)}
        title={words.title}
        about={words.about(formatMoney(amount, currency, language), formatMoney(refunded, currency, language))}
        confirm={words.confirm[environment]}
        sending={refund}
        isComplete={isTyped}
        send={() => refund.mutate()}
      >
        <RefundFields typed={typed} type={type} deposit={deposit} faults={faults} />
        <RefundSummary deposit={deposit} amount={units ?? deposit.amount - deposit.refunded} />
      </DialogForm>
    </>
  );
}

interface RefundSummaryProps {
  readonly deposit: Deposit;
  /** What would go back. */
  readonly amount: number;
}

/** What is left of the payment, and what is available after its refund. */
function RefundSummary({ deposit: { amount: whole, refunded, currency }, amount }: RefundSummaryProps) {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const { refund: words } = texts.payments;
  const { data } = useQuery({
    queryKey: ['balance'],
    queryFn: ({ signal }) => bodyOf(getBalance({ headers: contract, signal })),
    enabled: may('balances:read'),
  });
  const [member] = Object.entries(currencyOf).find(([, each]) => each === currency) ?? [];
  const available = data?.[member as keyof Balance]?.available;
  return (
    <Facts
      facts={[
        [words.left, <Money key="left" amount={whole - refunded} currency={currency} />],
        [
          texts.payouts.propose.after,
          available === undefined ? null : <Money key="after" amount={available - amount} currency={currency} />,
        ],
      ]}
    />
  );
}

interface RefundFieldsProps {
  readonly typed: Typed;
  readonly type: (change: Partial<Typed>) => void;
  readonly deposit: Deposit;
  readonly faults: Readonly<Record<string, string>>;
}

function RefundFields({ typed, type, deposit: { currency }, faults }: RefundFieldsProps) {
  const { texts } = useMerchantTexts();
  const { refund: words } = texts.payments;
  return (
    <>
      <TextField
        label={texts.facts.externalId}
        hint={words.externalIdHint}
        value={typed.externalId}
        onChange={({ target }) => type({ externalId: target.value })}
        fault={faults['external_id']}
        required
      />
      <AmountField
        value={typed.amount}
        currency={currency}
        hint={words.amountHint}
        fault={faults['amount']}
        onType={(amount) => type({ amount })}
      />
      <TextField
        label={texts.records.reason}
        value={typed.reason}
        onChange={({ target }) => type({ reason: target.value })}
        fault={faults['reason']}
        maxLength={140}
      />
    </>
  );
}
