import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createDeposit, listDeposits } from '#src/generated/merchants/sdk.gen.ts';
import type { Deposit } from '#src/generated/merchants/types.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { AmountField } from '#src/merchants/amount-field.tsx';
import { contract } from '#src/merchants/contract.ts';
import { typedMinorUnits } from '#src/money/minor-units.ts';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const headers = contract;
const currency = 'BRL';
const externalIdLengthMax = 120;
const descriptionLengthMax = 140;

interface Typed {
  readonly externalId: string;
  readonly amount: string;
  readonly description: string;
}

const nothing: Typed = { externalId: '', amount: '', description: '' };

/**
 * Makes a payment, or finds the one of that reference: when no answer came it may have been made all the same, and is read by
 * its reference before anything is sent again.
 */
async function make({ externalId, amount, description }: Typed): Promise<Deposit> {
  const body = {
    external_id: externalId,
    amount: typedMinorUnits(amount, currency) ?? 0,
    ...(description === '' ? {} : { description }),
  };
  try {
    return await bodyOf(createDeposit({ body, headers }));
  } catch (error) {
    if (!(error instanceof Refusal) || !error.isUnknown) throw error;
    const { data } = await bodyOf(listDeposits({ query: { external_id: externalId }, headers }));
    const [made] = data;
    if (!made) throw error;
    return made;
  }
}

interface NewPaymentProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks for a payment: its page is there to be handed to the payer as soon as it is made. */
export function NewPayment({ open, onClose }: NewPaymentProps) {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { create: words } = texts.payments;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(nothing);
  const create = useMutation({
    mutationFn: make,
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['payments'] });
      await navigate({ to: '/payments/$id', params: { id } });
    },
  });
  const faults = create.error instanceof Refusal ? create.error.faults : {};
  const type = (change: Partial<Typed>) => setTyped((now) => ({ ...now, ...change }));
  return (
    <DialogForm
      open={open}
      onClose={onClose}
      title={words.title}
      about={words.about}
      confirm={words.confirm[environment]}
      sending={create}
      isComplete={typedMinorUnits(typed.amount, currency) !== undefined}
      send={() => create.mutate(typed)}
    >
      <TextField
        label={texts.facts.externalId}
        hint={words.externalIdHint}
        value={typed.externalId}
        onChange={({ target }) => type({ externalId: target.value })}
        fault={faults['external_id']}
        maxLength={externalIdLengthMax}
        required
      />
      <AmountField
        value={typed.amount}
        currency={currency}
        hint={words.amountHint}
        fault={faults['amount']}
        onType={(amount) => type({ amount })}
        required
      />
      <TextField
        label={texts.payments.description}
        value={typed.description}
        onChange={({ target }) => type({ description: target.value })}
        fault={faults['description']}
        maxLength={descriptionLengthMax}
      />
    </DialogForm>
  );
}
