import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { recoverWebhookDeliveries } from '#src/generated/merchants/sdk.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { TextField } from '#src/look/field.tsx';
import { contract } from '#src/merchants/contract.ts';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface RecoverDeliveriesProps {
  readonly id: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

const hoursMax = 720;
const hourSec = 3_600;

/** Sends once more what failed since a time. */
export function RecoverDeliveries({ id, open, onClose }: RecoverDeliveriesProps) {
  const { texts } = useMerchantTexts();
  const { recover: words } = texts.webhooks;
  const queries = useQueryClient();
  const [hours, setHours] = useState('24');
  const recover = useMutation({
    mutationFn: () => {
      const since = Math.floor(Date.now() / 1_000) - Number(hours) * hourSec;
      return bodyOf(recoverWebhookDeliveries({ path: { id }, headers: contract, body: { since } }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [`deliveries ${id}`] }),
  });
  const close = () => {
    onClose();
    recover.reset();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!recover.isPending) recover.mutate();
  };
  return (
    <Dialog open={open} onClose={close} title={words.title} about={words.about}>
      {recover.data ? (
        <>
          <p role="status">{words.done(recover.data.count)}</p>
          <DialogButtons>
            <Button look="primary" onClick={close}>
              {words.close}
            </Button>
          </DialogButtons>
        </>
      ) : (
        <form onSubmit={submit}>
          <TextField
            label={words.hours}
            type="number"
            min={1}
            max={hoursMax}
            value={hours}
            onChange={({ target }) => setHours(target.value)}
            required
          />
          {recover.error ? <Failed error={recover.error} /> : null}
          <DialogButtons>
            <Button onClick={close}>{texts.cancel}</Button>
            <Button type="submit" look="primary" busy={recover.isPending}>
              {words.confirm}
            </Button>
          </DialogButtons>
        </form>
      )}
    </Dialog>
  );
}
