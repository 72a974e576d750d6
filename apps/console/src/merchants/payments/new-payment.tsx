import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { createDeposit, listDeposits } from '#src/generated/merchants/sdk.gen.ts';
import type { Deposit } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { TextField } from '#src/look/field.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { formatMoney } from '#src/money/format-money.ts';
import { typedMinorUnits } from '#src/money/minor-units.ts';
import { Failed } from '#src/records/page-states.tsx';
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
  const { texts, language } = useMerchantTexts();
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
  const units = typedMinorUnits(typed.amount, currency);
  const faults = create.error instanceof Refusal ? create.error.faults : {};
  const type = (change: Partial<Typed>) => setTyped((now) => ({ ...now, ...change }));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!create.isPending && units !== undefined) create.mutate(typed);
  };
  return (
    <Dialog open={open} onClose={onClose} title={words.title} about={words.about}>
      <form onSubmit={submit}>
        <TextField
          label={texts.facts.externalId}
          hint={words.externalIdHint}
          value={typed.externalId}
          onChange={({ target }) => type({ externalId: target.value })}
          fault={faults['external_id']}
          maxLength={externalIdLengthMax}
          required
        />
        <TextField
          label={texts.facts.amount}
          hint={units === undefined ? words.amountHint : formatMoney(units, currency, language)}
          inputMode="decimal"
          value={typed.amount}
          onChange={({ target }) => type({ amount: target.value })}
          fault={typed.amount !== '' && units === undefined ? words.noAmount : faults['amount']}
          required
        />
        <TextField
          label={texts.payments.description}
          value={typed.description}
          onChange={({ target }) => type({ description: target.value })}
          fault={faults['description']}
          maxLength={descriptionLengthMax}
        />
        {create.error ? <Failed error={create.error} /> : null}
        <DialogButtons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            {words.confirm[environment]}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
