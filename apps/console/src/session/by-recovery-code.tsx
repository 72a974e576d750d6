import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { TextField } from '#src/look/field.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { signInByRecoveryCode } from '#src/session/session-api.ts';
import type { Session } from '#src/session/session.tsx';
import { useLanguage } from '#src/texts/language.tsx';

/** For a person who has none of their devices. */
export function ByRecoveryCode({ onSignedIn }: { readonly onSignedIn: (session: Session) => void }) {
  const { texts } = useLanguage();
  const { signIn } = texts.session;
  const [typed, setTyped] = useState({ name: '', code: '' });
  const byCode = useMutation({ mutationFn: signInByRecoveryCode, onSuccess: onSignedIn });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!byCode.isPending) byCode.mutate({ name: typed.name, code: typed.code.trim() });
  };
  return (
    <form onSubmit={submit}>
      <p>{signIn.lostAbout}</p>
      <TextField
        label={signIn.name}
        value={typed.name}
        onChange={({ target }) => setTyped((now) => ({ ...now, name: target.value }))}
        autoComplete="username"
        autoCapitalize="none"
        required
      />
      <TextField
        label={signIn.recoveryCode}
        value={typed.code}
        onChange={({ target }) => setTyped((now) => ({ ...now, code: target.value }))}
        autoComplete="off"
        spellCheck={false}
        required
      />
      {byCode.error ? <Failed error={byCode.error} /> : null}
      <Button type="submit" busy={byCode.isPending}>
        {signIn.withRecoveryCode}
      </Button>
    </form>
  );
}
