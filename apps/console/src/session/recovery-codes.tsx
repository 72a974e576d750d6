import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '#src/look/button.tsx';
import { Failed } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { credentialsKey, makeRecoveryCodes } from '#src/session/session-api.ts';
import { useLanguage } from '#src/texts/language.tsx';
import codes from './welcome.module.css';

/** How many recovery codes are left, and ten new ones in the place of all before, which are shown this once. */
export function RecoveryCodes({ left }: { readonly left: number }) {
  const { texts } = useLanguage();
  const { codes: words, welcome } = texts.session;
  const queries = useQueryClient();
  const make = useMutation({
    mutationFn: makeRecoveryCodes,
    onSettled: () => queries.invalidateQueries({ queryKey: credentialsKey }),
  });
  return (
    <section className={styles['section']}>
      <h2>{words.title}</h2>
      {make.data ? (
        <>
          <p>{welcome.codes}</p>
          <ul className={codes['codes']}>
            {make.data.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <p>
            <Button look="primary" onClick={() => make.reset()}>
              {welcome.kept}
            </Button>
          </p>
        </>
      ) : (
        <>
          <p>{words.left(left)}</p>
          {make.error ? <Failed error={make.error} /> : null}
          <p>
            <Button busy={make.isPending} onClick={() => make.mutate()}>
              {words.make}
            </Button>
          </p>
        </>
      )}
    </section>
  );
}
