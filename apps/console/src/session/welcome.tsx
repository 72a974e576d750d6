import { useMutation, useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { TextField } from '#src/look/field.tsx';
import { Failed, Notice, Skeleton } from '#src/records/page-states.tsx';
import { Refusal } from '#src/records/refusal.ts';
import { ByIssuer, useIssuer } from '#src/session/by-issuer.tsx';
import { forgetInvitation, keepInvitation, keptInvitation } from '#src/session/landed.ts';
import { LonePage } from '#src/session/lone-page.tsx';
import { PasskeyFailed } from '#src/session/passkey-failed.tsx';
import {
  acceptInvitation,
  type Enrolled,
  type Invitation,
  readInvitation,
  signInByLink,
} from '#src/session/session-api.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './welcome.module.css';

export const labelLengthMax = 60;

/** What a printed link opens: an invitation to enrol, or, on a developer's machine, a session. */
export function Welcome() {
  const { texts } = useLanguage();
  const { welcome } = texts.session;
  const [{ token, binding }] = useState(opened);
  useEffect(() => {
    // The secret stays in no history and on no screen that is shared.
    window.history.replaceState(null, '', '/welcome');
    forgetInvitation();
    // Another link in the same tab changes the fragment alone, and the browser loads nothing for that.
    const openAnew = () => window.location.reload();
    window.addEventListener('hashchange', openAnew);
    return () => window.removeEventListener('hashchange', openAnew);
  }, []);
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation'],
    queryFn: () => readInvitation(token),
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
  });
  const isNone = error instanceof Refusal && (error.status === 404 || error.status === 400);
  return (
    <LonePage title={welcome.title}>
      {token === '' ? <p>{welcome.used}</p> : null}
      {data ? <Enrol token={token} binding={binding} invitation={data} /> : null}
      {isNone ? <ByLink token={token} /> : null}
      {error && !isNone ? <Failed error={error} retry={() => void refetch()} /> : null}
      {token === '' || data || error ? null : <Skeleton lines={2} />}
    </LonePage>
  );
}

/** What the page was opened with: by the link itself, or by the issuer that the person went to from here. */
function opened(): { readonly token: string; readonly binding: string | undefined } {
  const binding = new URLSearchParams(window.location.search).get('binding') ?? undefined;
  const token = window.location.hash.slice(1);
  return binding === undefined || token !== '' ? { token, binding: undefined } : { token: keptInvitation(), binding };
}

function ByLink({ token }: { readonly token: string }) {
  const { texts } = useLanguage();
  const { welcome } = texts.session;
  const signIn = useMutation({
    mutationFn: () => signInByLink(token),
    onSuccess: () => window.location.assign('/me'),
  });
  return (
    <>
      <p>{welcome.link}</p>
      <Button look="primary" busy={signIn.isPending || signIn.isSuccess} onClick={() => signIn.mutate()}>
        {welcome.open}
      </Button>
      {signIn.error ? <Failed error={signIn.error} /> : null}
    </>
  );
}

interface EnrolProps {
  readonly token: string;
  readonly binding: string | undefined;
  readonly invitation: Invitation;
}

function Enrol({ token, binding, invitation }: EnrolProps) {
  const { texts } = useLanguage();
  const { welcome, passkeys } = texts.session;
  const [label, setLabel] = useState('');
  const accept = useMutation({ mutationFn: () => acceptInvitation({ token, label, binding }) });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!accept.isPending) accept.mutate();
  };
  if (accept.data) return <AfterEnrolment enrolled={accept.data} />;
  return (
    <form className={styles['form']} onSubmit={submit}>
      <p>{welcome.invited(invitation.name)}</p>
      <AtIssuer token={token} isBound={binding !== undefined} />
      <TextField
        label={passkeys.label}
        hint={passkeys.labelHint}
        value={label}
        onChange={({ target }) => setLabel(target.value)}
        maxLength={labelLengthMax}
        required
      />
      <PasskeyFailed error={accept.error} />
      <Button type="submit" look="primary" busy={accept.isPending}>
        {passkeys.add}
      </Button>
    </form>
  );
}

/** Who is to sign in at the issuer later on does so here first: it is the one moment at which the two are tied together. */
function AtIssuer({ token, isBound }: { readonly token: string; readonly isBound: boolean }) {
  const { texts } = useLanguage();
  const { issuer: words } = texts.session;
  const issuer = useIssuer();
  if (!issuer) return null;
  if (isBound) return <Notice>{words.bound(issuer.name)}</Notice>;
  return (
    <>
      <p>{words.bind(issuer.name)}</p>
      <ByIssuer invitation={token} onLeave={() => keepInvitation(token)} />
    </>
  );
}

function AfterEnrolment({ enrolled: { invitation, recovery_codes: codes } }: { readonly enrolled: Enrolled }) {
  const { texts } = useLanguage();
  const { welcome } = texts.session;
  return (
    <>
      <p>{welcome.codes}</p>
      <ul className={styles['codes']}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      {invitation.state === 'CONFIRMED' ? (
        <Button look="primary" onClick={() => window.location.assign('/')}>
          {welcome.kept}
        </Button>
      ) : (
        <p>{welcome.waits}</p>
      )}
    </>
  );
}
