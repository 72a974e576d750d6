import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { PageName } from '#src/records/page-name.tsx';
import { Refusal } from '#src/records/refusal.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './page-states.module.css';

/** What answers sooner shows no skeleton: it would only flicker. */
const skeletonAfterMs = 150;

interface SkeletonProps {
  readonly lines?: number;
}

/** The place of what is being loaded, in lines of its size. It is there from the first moment, so that what it says is heard. */
export function Skeleton({ lines = 4 }: SkeletonProps) {
  const { texts } = useLanguage();
  const [isShown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), skeletonAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" data-loading="" className={isShown ? styles['skeleton'] : undefined}>
      {isShown ? (
        <>
          <span className={styles['hidden']}>{texts.states.loading}</span>
          {Array.from({ length: lines }, (_, line) => (
            <span key={line} className={styles['bar']} aria-hidden="true" />
          ))}
        </>
      ) : null}
    </div>
  );
}

/** The place of a whole page: a page has a heading, also while it is not known which. */
export function PageSkeleton({ lines = 8 }: SkeletonProps) {
  const { texts } = useLanguage();
  return (
    <>
      <PageName className={styles['hidden']}>{texts.states.loading}</PageName>
      <Skeleton lines={lines} />
    </>
  );
}

/** Nothing here, and why. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className={styles['empty']}>{children}</p>;
}

/** What the reader should know here, and can do something about. */
export function Notice({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles['notice']} role="status">
      {children}
    </p>
  );
}

interface FailedProps {
  readonly error: unknown;
  /** Reads again; a write is not repeated by itself, so without it there is no button. */
  readonly retry?: () => void;
}

/** What went wrong, with the id under which it is found in the logs. */
export function Failed({ error, retry }: FailedProps) {
  const { texts } = useLanguage();
  const refusal = error instanceof Refusal ? error : undefined;
  // The person is asked to sign in over the page, and it is read again then.
  if (refusal?.code === 'SESSION_ENDED') return null;
  return (
    <div className={styles['failed']} role="alert">
      <p>{refusal?.isUnknown === true && !retry ? texts.states.unknown : (refusal?.message ?? texts.states.failed)}</p>
      {refusal?.requestId === undefined ? null : (
        <p className={styles['request']}>
          {texts.states.requestId}: <code>{refusal.requestId}</code>
        </p>
      )}
      {retry ? <Button onClick={retry}>{texts.states.retry}</Button> : null}
    </div>
  );
}

/** Which services have not answered: what they know is missing above. */
export function Incomplete({ services }: { readonly services: readonly string[] }) {
  const { texts, language } = useLanguage();
  if (services.length === 0) return null;
  const names = new Intl.ListFormat(language).format(services);
  return <Notice>{texts.states.incomplete(names)}</Notice>;
}
