import { Button } from '#src/look/button.tsx';
import styles from '#src/records/record-page.module.css';
import { useLanguage } from '#src/texts/language.tsx';

/**
 * In the place of a page that cannot be shown. A tab that was open during a deployment asks for files that the gateway does
 * not have any more: read anew, it has those that it has now.
 */
export function OldPage() {
  const { texts } = useLanguage();
  const { title, about, reload } = texts.oldPage;
  return (
    <section className={styles['page']}>
      <title>{`${title} · ${texts.product}`}</title>
      <h1>{title}</h1>
      <p role="alert">{about}</p>
      <p>
        <Button look="primary" onClick={() => window.location.reload()}>
          {reload}
        </Button>
      </p>
    </section>
  );
}
