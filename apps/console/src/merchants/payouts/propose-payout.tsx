import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createPayout } from '#src/generated/merchants/sdk.gen.ts';
import type { PayoutCreate, PayoutKeyType } from '#src/generated/merchants/types.gen.ts';
import { SelectField, TextField } from '#src/look/field.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { AmountField } from '#src/merchants/amount-field.tsx';
import { proposalIn } from '#src/merchants/approvals/team-approval.ts';
import { contract } from '#src/merchants/contract.ts';
import { findKeyType } from '#src/merchants/payouts/find-key-type.ts';
import { PayoutSummary } from '#src/merchants/payouts/payout-summary.tsx';
import { typedMinorUnits } from '#src/money/minor-units.ts';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const currency = 'BRL';
const keyTypes = ['cpf', 'cnpj', 'email', 'phone', 'random'] as const satisfies readonly PayoutKeyType[];

const nothing = {
  externalId: '',
  amount: '',
  name: '',
  document: '',
  /** Null: as it is found. */
  keyType: null as PayoutKeyType | null,
  key: '',
};

function requestOf({ externalId, amount, name, document, keyType, key }: typeof nothing): PayoutCreate {
  return {
    external_id: externalId,
    amount: typedMinorUnits(amount, currency) ?? 0,
    payout_key: key,
    payout_key_type: keyType ?? findKeyType(key) ?? 'cpf',
    recipient: { name, document },
  };
}

interface ProposePayoutProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/**
 * Proposes a payout to the others of the account, or makes it where one person may. What is typed stays when no answer came:
 * the same reference again is answered with what was made of it, and never makes a second one.
 */
export function ProposePayout({ open, onClose }: ProposePayoutProps) {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { propose: words } = texts.payouts;
  const navigate = useNavigate();
  const [typed, setTyped] = useState(nothing);
  const propose = useMutation({
    mutationFn: () => bodyOf(createPayout({ body: requestOf(typed), headers: contract })),
    onSuccess: async (answer) => {
      const proposal = proposalIn(answer);
      if (proposal) await navigate({ to: '/approvals/$id', params: { id: proposal.id } });
      else await navigate({ to: '/payouts/$id', params: { id: answer.payout.id } });
    },
  });
  return (
    <DialogForm
      open={open}
      onClose={onClose}
      title={words.title}
      about={words.about}
      confirm={words.confirm[environment]}
      sending={propose}
      isComplete={typedMinorUnits(typed.amount, currency) !== undefined}
      send={() => propose.mutate()}
    >
      <PayoutFields
        typed={typed}
        type={(change) => setTyped((now) => ({ ...now, ...change }))}
        faults={propose.error instanceof Refusal ? propose.error.faults : {}}
      />
      <PayoutSummary amount={typedMinorUnits(typed.amount, currency)} document={typed.document} />
    </DialogForm>
  );
}

interface PayoutFieldsProps {
  readonly typed: typeof nothing;
  readonly type: (change: Partial<typeof nothing>) => void;
  readonly faults: Readonly<Record<string, string>>;
}

function PayoutFields({ typed, type, faults }: PayoutFieldsProps) {
  const { texts } = useMerchantTexts();
  const { propose: words } = texts.payouts;
  return (
    <>
      <TextField
        label={texts.facts.externalId}
        hint={words.externalIdHint}
        value={typed.externalId}
        onChange={({ target }) => type({ externalId: target.value })}
        fault={faults['external_id']}
        maxLength={120}
        required
      />
      <AmountField
        value={typed.amount}
        currency={currency}
        hint={texts.payments.create.amountHint}
        fault={faults['amount']}
        onType={(amount) => type({ amount })}
        required
      />
      <TextField
        label={texts.facts.recipient}
        value={typed.name}
        onChange={({ target }) => type({ name: target.value })}
        fault={faults['recipient.name']}
        required
      />
      <TextField
        label={words.document}
        value={typed.document}
        onChange={({ target }) => type({ document: target.value })}
        fault={faults['recipient.document']}
        required
      />
      <TextField
        label={texts.facts.key}
        hint={words.keyHint}
        value={typed.key}
        onChange={({ target }) => type({ key: target.value })}
        fault={faults['payout_key']}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <SelectField
        label={words.keyType}
        options={keyTypes.map((value) => ({ value, label: words.keyTypes[value] }))}
        value={typed.keyType ?? findKeyType(typed.key) ?? 'cpf'}
        onChange={(keyType) => type({ keyType })}
      />
    </>
  );
}
