import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rotateWebhookSecret } from '#src/generated/merchants/sdk.gen.ts';
import { Dialog } from '#src/look/dialog.tsx';
import { SelectField } from '#src/look/field.tsx';
import { contract } from '#src/merchants/contract.ts';
import { SecretOnce } from '#src/merchants/secret-once.tsx';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime } from '#src/texts/time.ts';

interface RotateSecretProps {
  /** Of the endpoint. */
  readonly id: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** For how long deliveries are signed with both secrets, in seconds. */
const overlaps = ['0', '3600', '86400', '604800'] as const;
type Overlap = (typeof overlaps)[number];

/** Another secret for an endpoint, and until when the old one signs beside it. */
export function RotateSecret({ id, open, onClose }: RotateSecretProps) {
  const { texts, language } = useMerchantTexts();
  const { rotation: words, secretAbout } = texts.webhooks;
  const [overlap, choose] = useState<Overlap>('86400');
  const rotate = useMutation({
    mutationFn: async () => {
      const body = { overlap_sec: Number(overlap) };
      const { secret } = await bodyOf(rotateWebhookSecret({ path: { id }, headers: contract, body }));
      return { secret, until: new Date(Date.now() + body.overlap_sec * 1_000) };
    },
  });
  const close = () => {
    onClose();
    rotate.reset();
  };
  if (rotate.data) {
    const { secret, until } = rotate.data;
    const signs = overlap === '0' ? words.atOnce : words.both(formatTime(until, language));
    return (
      <Dialog open={open} onClose={close} title={words.done} about={`${secretAbout} ${signs}`}>
        <SecretOnce secret={secret} onKept={close} />
      </Dialog>
    );
  }
  return (
    <DialogForm
      open={open}
      onClose={close}
      title={words.title}
      about={words.about}
      confirm={words.confirm}
      sending={rotate}
      send={() => rotate.mutate()}
    >
      <SelectField
        label={words.overlap}
        options={overlaps.map((value) => ({ value, label: words.overlaps[value] }))}
        value={overlap}
        onChange={choose}
      />
    </DialogForm>
  );
}
