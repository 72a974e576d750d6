import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { TextField } from '#src/look/field.tsx';
import { Empty, Failed, Notice, Skeleton } from '#src/records/page-states.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { OwnPassword } from '#src/session/own-password.tsx';
import { OwnSessions } from '#src/session/own-sessions.tsx';
import { PasskeyFailed } from '#src/session/passkey-failed.tsx';
import { RecoveryCodes } from '#src/session/recovery-codes.tsx';
import {
  addPasskey,
  type Credentials,
  credentialsKey,
  readCredentials,
  removePasskey,
} from '#src/session/session-api.ts';
import { sessionKey } from '#src/session/session-gate.tsx';
import { useSession } from '#src/session/session.tsx';
import { labelLengthMax } from '#src/session/welcome.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import { formatTime, fromUnix } from '#src/texts/time.ts';
import styles from './my-sign-in.module.css';

const sessionRememberedMs = 1_500;

/** What the person signs in with, and a passkey more. */
export function MySignIn() {
  const { texts } = useLanguage();
  const { passkeys } = texts.session;
  const { person, withheld } = useSession();
  const { data, error, refetch } = useQuery({ queryKey: credentialsKey, queryFn: readCredentials });
  return (
    <div className={styles['page']}>
      <title>{`${passkeys.title} · ${texts.product}`}</title>
      <header>
        <h1>{passkeys.title}</h1>
        <p className={styles['person']}>
          {person.roles.length === 0 ? person.name : passkeys.person(person.name, person.roles.join(', '))}
        </p>
      </header>
      {withheld.length === 0 ? null : <Notice>{passkeys.withheld}</Notice>}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data ? <Passkeys credentials={data} /> : null}
      {data?.issuer_subject ? <p>{texts.session.issuer.mine(data.issuer_subject)}</p> : null}
      {data || error ? null : <Skeleton lines={3} />}
      <AddPasskey />
      {data ? <RecoveryCodes left={data.recovery_codes_left} /> : null}
      {data ? <OwnPassword hasOne={data.has_password} /> : null}
      <OwnSessions />
    </div>
  );
}

function Passkeys({ credentials }: { readonly credentials: Credentials }) {
  const { texts, language } = useLanguage();
  const { passkeys } = texts.session;
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: removePasskey,
    onSettled: () => queries.invalidateQueries({ queryKey: credentialsKey }),
  });
  if (credentials.data.length === 0) return <Empty>{passkeys.none}</Empty>;
  const isOnly = credentials.data.length === 1 && !credentials.has_password;
  return (
    <>
      <RecordTable
        caption={passkeys.list}
        rows={credentials.data}
        keyOf={({ id }) => id}
        columns={[
          { heading: passkeys.list, show: ({ label }) => label },
          { heading: passkeys.added, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
          {
            heading: passkeys.used,
            show: ({ last_used_at: at }) => (at === null ? passkeys.never : formatTime(fromUnix(at), language)),
          },
          {
            heading: passkeys.remove,
            // The last way to sign in stays.
            show: ({ id, label }) =>
              isOnly ? (
                '–'
              ) : (
                <Button
                  look="danger"
                  busy={remove.isPending}
                  onClick={() => remove.mutate(id)}
                  aria-label={`${passkeys.remove}: ${label}`}
                >
                  {passkeys.remove}
                </Button>
              ),
          },
        ]}
      />
      {isOnly ? null : <p>{passkeys.removeAbout}</p>}
      {remove.error ? <Failed error={remove.error} /> : null}
    </>
  );
}

function AddPasskey() {
  const { texts } = useLanguage();
  const { passkeys } = texts.session;
  const queries = useQueryClient();
  const [label, setLabel] = useState('');
  const add = useMutation({
    mutationFn: () => addPasskey(label),
    onSuccess: async () => {
      setLabel('');
      await queries.invalidateQueries({ queryKey: credentialsKey });
      // The gateway believes what it has read of a session for that long.
      setTimeout(() => void queries.invalidateQueries({ queryKey: sessionKey }), sessionRememberedMs);
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!add.isPending) add.mutate();
  };
  return (
    <form className={styles['add']} onSubmit={submit}>
      <h2>{passkeys.another}</h2>
      <TextField
        label={passkeys.label}
        hint={passkeys.labelHint}
        value={label}
        onChange={({ target }) => setLabel(target.value)}
        maxLength={labelLengthMax}
        required
      />
      <PasskeyFailed error={add.error} />
      <Button type="submit" look="primary" busy={add.isPending}>
        {passkeys.add}
      </Button>
      <p role="status">{add.isSuccess ? passkeys.isAdded : ''}</p>
    </form>
  );
}
