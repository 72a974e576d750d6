import { Change } from '#src/changes/change.tsx';
import { MoneyField, ReferenceField, Selected } from '#src/changes/fields.tsx';
import { amountIn, oneOf, textIn } from '#src/changes/typed.ts';
import { createDispute } from '#src/generated/sdk.gen.ts';
import type { OperatorDepositWithPayments } from '#src/generated/types.gen.ts';
import { TextArea, TextField } from '#src/look/field.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

const evidenceLengthMax = 2_000;
const reasons = ['FRAUD', 'OPERATIONAL_FLAW', 'unknown'] as const;

/** Enters a dispute of which the provider writes a letter: one person proposes it, and another approves it. */
export function EnterDispute({ deposit }: { readonly deposit: OperatorDepositWithPayments }) {
  const { texts } = useOperatorTexts();
  const may = useMay();
  const { id, status, environment, currency, amount_cents: amount, refunded_cents: refunded, transfers } = deposit;
  const words = texts.deposits.enterDispute;
  if (status !== 'PAID' || !may('money:propose')) return null;
  const arrived = transfers.map(({ transfer_id: transferId, e2e_id: e2eId }) => transferId ?? e2eId);
  const send = (typed: FormData) => {
    const named = arrived.length > 1 ? { e2e_id: oneOf(typed, 'e2e_id', arrived) } : {};
    const money = { amount_cents: amountIn(typed, 'amount_cents', currency) ?? 0 };
    return bodyOf(createDispute({ body: { deposit_id: id, environment, ...named, ...money, ...letterIn(typed) } }));
  };
  return (
    <Change open={words.open} title={words.title} about={words.about} confirm={words.confirm} send={send}>
      {arrived.length > 1 ? (
        <Selected
          name="e2e_id"
          label={texts.facts.e2eId}
          options={arrived.map((value) => ({ value, label: value }))}
          initial={arrived[0] ?? ''}
        />
      ) : null}
      <ReferenceField name="dispute_ref" label={words.reference} hint={words.referenceHint} />
      <MoneyField
        name="amount_cents"
        label={texts.facts.amount}
        currency={currency}
        now={amount - refunded}
        hint={words.amountHint}
        required
      />
      <Selected
        name="reason"
        label={texts.records.reason}
        options={reasons.map((value) => ({ value, label: words.reasons[value] }))}
        initial="unknown"
      />
      <TextField name="opened_at" label={words.openedAt} type="datetime-local" required />
      <TextField name="defense_due_at" label={texts.disputes.due} hint={words.dueHint} type="datetime-local" />
      <TextArea
        name="evidence"
        label={words.evidence}
        hint={words.evidenceHint}
        maxLength={evidenceLengthMax}
        required
      />
    </Change>
  );
}

/** What the letter says, as it was typed. */
function letterIn(typed: FormData) {
  const reason = oneOf(typed, 'reason', reasons);
  const due = textIn(typed, 'defense_due_at');
  return {
    dispute_ref: textIn(typed, 'dispute_ref'),
    ...(reason === 'unknown' ? {} : { reason }),
    opened_at: instantOf(textIn(typed, 'opened_at')),
    ...(due === '' ? {} : { defense_due_at: instantOf(due) }),
    evidence: textIn(typed, 'evidence'),
  };
}

/** @param typed a time of the reader's own zone */
function instantOf(typed: string): string {
  return new Date(typed).toISOString();
}
