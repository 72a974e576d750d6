import { useState } from 'react';
import { useLanguage } from '#src/texts/language.tsx';
import { shortId } from '#src/records/short-id.ts';
import styles from './record-id.module.css';

const copiedForMs = 2_000;

/** An id, shortened in the middle and copied whole. */
export function RecordId({ id }: { readonly id: string }) {
  const { texts } = useLanguage();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
    setTimeout(() => setCopied(false), copiedForMs);
  };
  return (
    <span className={styles['id']} title={id}>
      <code>{shortId(id)}</code>
      <button type="button" className={styles['copy']} aria-label={texts.copy.copy(id)} onClick={() => void copy()}>
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" focusable="false">
          {isCopied ? (
            <path d="m3 8.5 3.2 3.2L13 5" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
          ) : (
            <path
              d="M6 5.5h6.5V13H6zM4 10.5H3V3h6.5v1"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.4"
              strokeLinejoin="round"
            />
          )}
        </svg>
      </button>
      <span role="status" className={styles['copied']}>
        {isCopied ? texts.copy.copied : ''}
      </span>
    </span>
  );
}
