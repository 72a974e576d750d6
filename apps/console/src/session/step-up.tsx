import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { TextField } from '#src/look/field.tsx';
import type { StepUp } from '#src/session/console-fetch.ts';
import { PasskeyFailed } from '#src/session/passkey-failed.tsx';
import { confirmByPasskey, confirmByPassword } from '#src/session/session-api.ts';
import { useLanguage } from '#src/texts/language.tsx';

interface Asked {
  readonly stepUp: StepUp;
  readonly answer: (confirmation: string | undefined) => void;
}

/** Who shows the question. One person is asked one thing at a time, the next when that is answered. */
let show: ((asked: Asked) => void) | undefined;
let before: Promise<unknown> = Promise.resolve();

/** Asks the person at the page; undefined when they leave it. */
export async function confirmStepUp(stepUp: StepUp): Promise<string | undefined> {
  const asked = before.then(
    () => new Promise<string | undefined>((answer) => (show ? show({ stepUp, answer }) : answer(undefined))),
  );
  before = asked;
  return await asked;
}

/** The question, over whatever page asked for it. */
export function StepUpDialog() {
  const { texts } = useLanguage();
  const { stepUp: words, signIn } = texts.session;
  const [asked, setAsked] = useState<Asked>();
  const [typed, setTyped] = useState({ password: '', code: '' });
  useEffect(() => {
    show = setAsked;
    return () => {
      show = undefined;
    };
  }, []);
  const end = (confirmation?: string) => {
    asked?.answer(confirmation);
    setAsked(undefined);
    setTyped({ password: '', code: '' });
  };
  const byPasskey = useMutation({ mutationFn: confirmByPasskey, onSuccess: end });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (asked) end(confirmByPassword(asked.stepUp, typed));
  };
  return (
    <Dialog open={asked !== undefined} onClose={() => end()} title={words.title} about={words.about}>
      <PasskeyFailed error={byPasskey.error} />
      {asked?.stepUp.password === true ? (
        <form onSubmit={submit}>
          <TextField
            label={signIn.password}
            type="password"
            value={typed.password}
            onChange={({ target }) => setTyped((now) => ({ ...now, password: target.value }))}
            autoComplete="current-password"
            required
          />
          <TextField
            label={signIn.code}
            value={typed.code}
            onChange={({ target }) => setTyped((now) => ({ ...now, code: target.value }))}
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]{6}"
            required
          />
          <Button type="submit">{words.withPassword}</Button>
        </form>
      ) : null}
      <DialogButtons>
        <Button onClick={() => end()}>{texts.cancel}</Button>
        {asked?.stepUp.passkey ? (
          <Button look="primary" busy={byPasskey.isPending} onClick={() => byPasskey.mutate(asked.stepUp)}>
            {words.passkey}
          </Button>
        ) : null}
      </DialogButtons>
    </Dialog>
  );
}
