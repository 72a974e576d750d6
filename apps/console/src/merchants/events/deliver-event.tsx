import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deliverEvent } from '#src/generated/merchants/sdk.gen.ts';
import { contract } from '#src/merchants/contract.ts';
import { EndpointField } from '#src/merchants/events/endpoint-field.tsx';
import { AnsweredForm } from '#src/records/answered-form.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface DeliverEventProps {
  /** Of the event. */
  readonly id: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** Under which the deliveries of the event are kept. */
  readonly queryKey: readonly string[];
}

/** Sends an event to an endpoint, also one that is newer than it or does not subscribe to it. */
export function DeliverEvent({ id, open, onClose, queryKey }: DeliverEventProps) {
  const { texts } = useMerchantTexts();
  const { deliver: words } = texts.events;
  const queries = useQueryClient();
  const [endpoint, choose] = useState('');
  const deliver = useMutation({
    mutationFn: () => bodyOf(deliverEvent({ path: { id }, body: { webhook_id: endpoint }, headers: contract })),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  return (
    <AnsweredForm
      open={open}
      onClose={onClose}
      title={words.title}
      about={words.about}
      confirm={words.confirm}
      sending={deliver}
      isComplete={endpoint !== ''}
    >
      <EndpointField value={endpoint} onChange={choose} />
    </AnsweredForm>
  );
}
