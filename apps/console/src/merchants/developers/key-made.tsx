import { Dialog } from '#src/look/dialog.tsx';
import type { KeyPair } from '#src/merchants/developers/keys.ts';
import styles from '#src/merchants/developers/keys.module.css';
import { SecretOnce } from '#src/merchants/secret-once.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface KeyMadeProps {
  readonly pair: KeyPair;
  readonly onKept: () => void;
}

/** The two halves of a key, of which the secret one is shown this once. */
export function KeyMade({ pair, onKept }: KeyMadeProps) {
  const { texts } = useMerchantTexts();
  const { developers } = texts;
  return (
    <Dialog open onClose={onKept} title={developers.made} about={developers.madeAbout}>
      <p className={styles['half']}>
        <span>X-Api-Key</span>
        <RecordId id={pair.public_key} />
      </p>
      <p>X-Api-Secret</p>
      <SecretOnce secret={pair.secret_key} onKept={onKept} />
    </Dialog>
  );
}
