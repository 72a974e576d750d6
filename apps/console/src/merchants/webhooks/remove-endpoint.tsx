import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { deleteWebhook } from '#src/generated/merchants/sdk.gen.ts';
import { contract } from '#src/merchants/contract.ts';
import { useEndpointsChanged } from '#src/merchants/webhooks/use-endpoints.ts';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { done } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface RemoveEndpointProps {
  readonly id: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Ends an endpoint with what still waits for it; pausing keeps that. */
export function RemoveEndpoint({ id, open, onClose }: RemoveEndpointProps) {
  const { texts } = useMerchantTexts();
  const { removal: words } = texts.webhooks;
  const navigate = useNavigate();
  const endpointsChanged = useEndpointsChanged();
  const remove = useMutation({
    mutationFn: () => done(deleteWebhook({ path: { id }, headers: contract })),
    onSuccess: async () => {
      await navigate({ to: '/webhooks' });
      await endpointsChanged();
    },
  });
  return (
    <DialogForm
      open={open}
      onClose={onClose}
      title={words.title}
      about={words.about}
      confirm={words.confirm}
      sending={remove}
      send={() => remove.mutate()}
    >
      {null}
    </DialogForm>
  );
}
