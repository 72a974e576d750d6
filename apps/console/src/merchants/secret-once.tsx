import { useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { DialogButtons } from '#src/look/dialog.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './secret-once.module.css';

interface SecretOnceProps {
  readonly secret: string;
  /** What is copied, as a word; left out where it is a secret. */
  readonly what?: string;
  readonly onKept: () => void;
}

/** A secret that no page shows again. */
export function SecretOnce({ secret, what, onKept }: SecretOnceProps) {
  const { texts } = useMerchantTexts();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <>
      <code className={styles['secret']}>{secret}</code>
      <p role="status">{isCopied ? texts.copy.copied : ''}</p>
      <DialogButtons>
        <Button onClick={copy}>{texts.copy.copy(what ?? texts.webhooks.secret)}</Button>
        <Button look="primary" onClick={onKept}>
          {texts.session.welcome.kept}
        </Button>
      </DialogButtons>
    </>
  );
}
