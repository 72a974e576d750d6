import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelDeposit } from '#src/generated/merchants/sdk.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface CancelPaymentProps {
  readonly id: string;
  readonly queryKey: readonly string[];
}

/** Calls a payment off that was not paid. */
export function CancelPayment({ id, queryKey }: CancelPaymentProps) {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { call } = texts.payments;
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const cancel = useMutation({
    mutationFn: () => bodyOf(cancelDeposit({ path: { id }, headers: contract })),
    onSuccess: () => setOpen(false),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        {call.open}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={call.title} about={call.about}>
        {cancel.error ? <Failed error={cancel.error} /> : null}
        <DialogButtons>
          <Button onClick={() => setOpen(false)}>{call.keep}</Button>
          <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {call.confirm[environment]}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}
