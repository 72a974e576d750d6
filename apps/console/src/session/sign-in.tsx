import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { TextField } from '#src/look/field.tsx';
import { Failed, Notice } from '#src/records/page-states.tsx';
import { ByIssuer } from '#src/session/by-issuer.tsx';
import { ByRecoveryCode } from '#src/session/by-recovery-code.tsx';
import { forgetInvitation, type Landed, landedIn } from '#src/session/landed.ts';
import { PasskeyFailed } from '#src/session/passkey-failed.tsx';
import { type PasswordAndCode, signInByPasskey, signInByPassword } from '#src/session/session-api.ts';
import type { Session } from '#src/session/session.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './sign-in.module.css';

interface SignInProps {
  readonly onSignedIn: (session: Session) => void;
  /** Over a page whose work is kept: the issuer's way leaves the page, and is not offered there. */
  readonly isOver?: boolean;
}

/** By passkey first; by the issuer, where there is one; by password and code for people without a passkey. */
export function SignIn({ onSignedIn, isOver = false }: SignInProps) {
  const { texts } = useLanguage();
  const { signIn, issuer } = texts.session;
  const landed = useLanded();
  const byPasskey = useMutation({ mutationFn: signInByPasskey, onSuccess: onSignedIn });
  return (
    <div className={styles['signIn']}>
      {landed === undefined ? null : <Notice>{issuer.landed[landed]}</Notice>}
      <Button look="primary" busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
        {signIn.passkey}
      </Button>
      <PasskeyFailed error={byPasskey.error} />
      {isOver ? null : <ByIssuer />}
      <details>
        <summary>{signIn.otherwise}</summary>
        <ByPassword onSignedIn={onSignedIn} />
      </details>
      <details>
        <summary>{signIn.lost}</summary>
        <ByRecoveryCode onSignedIn={onSignedIn} />
      </details>
    </div>
  );
}

/** What came of the issuer's way, shown until the page is left; the address is as before it. */
function useLanded(): Landed | undefined {
  const [landed] = useState(() => landedIn(window.location.search));
  useEffect(() => {
    if (landed === undefined) return;
    forgetInvitation();
    window.history.replaceState(null, '', window.location.pathname);
  }, [landed]);
  return landed;
}

function ByPassword({ onSignedIn }: Pick<SignInProps, 'onSignedIn'>) {
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
