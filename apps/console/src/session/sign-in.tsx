import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { TextField } from '#src/look/field.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { PasskeyFailed } from '#src/session/passkey-failed.tsx';
import { type PasswordAndCode, signInByPasskey, signInByPassword } from '#src/session/session-api.ts';
import type { Session } from '#src/session/session.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './sign-in.module.css';

interface SignInProps {
  readonly onSignedIn: (session: Session) => void;
}

/** By passkey first; by password and code for people without one. */
export function SignIn({ onSignedIn }: SignInProps) {
  const { texts } = useLanguage();
  const { signIn } = texts.session;
  const byPasskey = useMutation({ mutationFn: signInByPasskey, onSuccess: onSignedIn });
  return (
    <div className={styles['signIn']}>
      <Button look="primary" busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
        {signIn.passkey}
      </Button>
      <PasskeyFailed error={byPasskey.error} />
      <details>
        <summary>{signIn.otherwise}</summary>
        <ByPassword onSignedIn={onSignedIn} />
      </details>
    </div>
  );
}

function ByPassword({ onSignedIn }: SignInProps) {
  const { texts } = useLanguage();
  const { signIn } = texts.session;
  const [typed, setTyped] = useState<PasswordAndCode>({ name: '', password: '', code: '' });
  const byPassword = useMutation({ mutationFn: signInByPassword, onSuccess: onSignedIn });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!byPassword.isPending) byPassword.mutate(typed);
  };
  const type = (change: Partial<PasswordAndCode>) => setTyped((now) => ({ ...now, ...change }));
  return (
    <form onSubmit={submit}>
      <TextField
        label={signIn.name}
        value={typed.name}
        onChange={({ target }) => type({ name: target.value })}
        autoComplete="username"
        autoCapitalize="none"
        required
      />
      <TextField
        label={signIn.password}
        type="password"
        value={typed.password}
        onChange={({ target }) => type({ password: target.value })}
        autoComplete="current-password"
        required
      />
      <TextField
        label={signIn.code}
        value={typed.code}
        onChange={({ target }) => type({ code: target.value })}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]{6}"
        required
      />
      {byPassword.error ? <Failed error={byPassword.error} /> : null}
      <Button type="submit" busy={byPassword.isPending}>
        {signIn.withPassword}
      </Button>
    </form>
  );
}
