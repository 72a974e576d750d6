import type { Branding } from '#src/generated/merchants/types.gen.ts';
import styles from '#src/merchants/branding/branding.module.css';
import { formatMoney } from '#src/money/format-money.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

/** What a payer is asked for in the picture. */
const sampleCents = 10_050;

interface PaymentPagePreviewProps {
  readonly branding: Branding;
  readonly merchantName: string;
}

/** The head of the payment page with this colour and this logo. */
export function PaymentPagePreview({ branding: { color, logo }, merchantName }: PaymentPagePreviewProps) {
  const { texts, language } = useMerchantTexts();
  const { branding: words } = texts;
  return (
    <figure className={styles['preview']}>
      <figcaption>{words.preview}</figcaption>
      <div className={styles['page']}>
        {logo === null ? null : <img src={`data:image/png;base64,${logo}`} alt="" />}
        <p>{words.payTo(merchantName)}</p>
        <p className={styles['amount']}>{formatMoney(sampleCents, 'BRL', language)}</p>
        {color === null ? (
          <span className={`${styles['button']} ${styles['house']}`}>{words.copyCode}</span>
        ) : (
          <span className={styles['button']} style={{ backgroundColor: color }}>
            {words.copyCode}
          </span>
        )}
      </div>
    </figure>
  );
}
