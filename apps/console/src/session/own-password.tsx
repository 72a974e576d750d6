import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { TextField } from '#src/look/field.tsx';
import { Failed } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { beginPassword, credentialsKey, setPassword } from '#src/session/session-api.ts';
import { useLanguage } from '#src/texts/language.tsx';

const passwordLengthMin = 15;

/** A password and the codes of an authenticator, set together: the way in without a passkey. */
export function OwnPassword({ hasOne }: { readonly hasOne: boolean }) {
  const { texts } = useLanguage();
  const { password: words, signIn } = texts.session;
  const queries = useQueryClient();
  const [typed, setTyped] = useState({ password: '', code: '' });
  const begin = useMutation({ mutationFn: beginPassword });
  const set = useMutation({
    mutationFn: (challengeId: string) => setPassword({ challenge_id: challengeId, ...typed }),
    onSuccess: async () => {
      begin.reset();
      setTyped({ password: '', code: '' });
      await queries.invalidateQueries({ queryKey: credentialsKey });
    },
    // A secret is answered once, rightly or not.
    onError: () => begin.reset(),
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (begin.data && !set.isPending) set.mutate(begin.data.challenge_id);
  };
  return (
    <section className={styles['section']}>
      <h2>{words.title}</h2>
      <p>{hasOne ? words.has : words.none}</p>
      {begin.data ? (
        <form className={styles['section']} onSubmit={submit}>
          <p>
            {words.about} {words.secret}: <code>{begin.data.secret}</code>
          </p>
          <TextField
            label={words.typed}
            hint={words.hint(passwordLengthMin)}
            type="password"
            value={typed.password}
            onChange={({ target }) => setTyped((now) => ({ ...now, password: target.value }))}
            minLength={passwordLengthMin}
            autoComplete="new-password"
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
          <p>
            <Button type="submit" busy={set.isPending}>
              {words.set}
            </Button>
          </p>
        </form>
      ) : (
        <p>
          <Button busy={begin.isPending} onClick={() => begin.mutate()}>
            {words.begin[hasOne ? 'has' : 'none']}
          </Button>
        </p>
      )}
      {begin.error ? <Failed error={begin.error} /> : null}
      {set.error ? <Failed error={set.error} /> : null}
      <p role="status">{set.isSuccess ? words.isSet : ''}</p>
    </section>
  );
}
