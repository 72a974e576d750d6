import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rotateWebhookSecret } from '#src/generated/merchants/sdk.gen.ts';
import { SelectField } from '#src/look/field.tsx';
import { contract } from '#src/merchants/contract.ts';
import { SecretOnce } from '#src/merchants/secret-once.tsx';
import { AnsweredForm } from '#src/records/answered-form.tsx';
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
  return (
    <AnsweredForm
      open={open}
      onClose={onClose}
      title={words.title}
      about={words.about}
      confirm={words.confirm}
      sending={rotate}
      answered={({ secret, until }) => ({
        title: words.done,
        about: `${secretAbout} ${overlap === '0' ? words.atOnce : words.both(formatTime(until, language))}`,
        body: (close) => <SecretOnce secret={secret} onKept={close} />,
      })}
    >
      <SelectField
        label={words.overlap}
        options={overlaps.map((value) => ({ value, label: words.overlaps[value] }))}
        value={overlap}
        onChange={choose}
      />
    </AnsweredForm>
  );
}
