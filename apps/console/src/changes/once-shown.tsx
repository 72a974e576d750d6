import { useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import styles from './once-shown.module.css';

interface OnceShownProps {
  /** What it is, and to whom it goes. */
  readonly about: string;
  readonly secret: string;
}

/** A secret that no page shows again. */
export function OnceShown({ about, secret }: OnceShownProps) {
  const { texts } = useOperatorTexts();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <div className={styles['once']}>
      <p>{about}</p>
      <code>{secret}</code>
      <p>
        <Button onClick={copy}>{texts.copy.copy(texts.handOn.copy)}</Button>{' '}
        <span role="status">{isCopied ? texts.copy.copied : ''}</span>
      </p>
    </div>
  );
}
