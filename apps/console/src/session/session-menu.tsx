import { useMutation } from '@tanstack/react-query';
import { Button } from '#src/look/button.tsx';
import { dropDrafts } from '#src/session/drafts.ts';
import { signOut } from '#src/session/session-api.ts';
import { useSession } from '#src/session/session.tsx';
import { isLanguage, languages, useLanguage } from '#src/texts/language.tsx';
import styles from './session-menu.module.css';

/** Who one is, the language, and the way out, which leaves nothing of this person in the browser. */
export function SessionMenu() {
  const { person } = useSession();
  const { texts, language, speak } = useLanguage();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      dropDrafts();
      window.location.assign('/');
    },
  });
  return (
    <div className={styles['menu']}>
      <label>
        <span className={styles['label']}>{texts.language}</span>
        <select
          value={language}
          onChange={({ target }) => (isLanguage(target.value) ? speak(target.value) : undefined)}
        >
          {Object.entries(languages).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <a className={styles['person']} href="/me">
        {person.name}
      </a>
      <Button busy={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
        {texts.signOut}
      </Button>
    </div>
  );
}
