import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createCallbackSecret } from '#src/generated/merchants/sdk.gen.ts';
import { Button } from '#src/look/button.tsx';
import { contract } from '#src/merchants/contract.ts';
import { SecretOnce } from '#src/merchants/secret-once.tsx';
import { AnsweredForm } from '#src/records/answered-form.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

/** The secret that signs what is sent to callback addresses of payments; the one before signs nothing from then on. */
export function CallbackSecret() {
  const { texts } = useMerchantTexts();
  const { callbackSecret: words, secretAbout } = texts.webhooks;
  const [isOpen, setOpen] = useState(false);
  const make = useMutation({ mutationFn: () => bodyOf(createCallbackSecret({ headers: contract })) });
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.open}</Button>
      <AnsweredForm
        open={isOpen}
        onClose={() => setOpen(false)}
        title={words.title}
        about={words.about}
        confirm={words.confirm}
        sending={make}
        answered={({ secret }) => ({
          title: words.title,
          about: secretAbout,
          body: (close) => <SecretOnce secret={secret} onKept={close} />,
        })}
      >
        {null}
      </AnsweredForm>
    </>
  );
}
