import { useLanguage } from '#src/texts/language.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import styles from './money.module.css';

interface MoneyProps {
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  /** `total` for the one amount that a page is about. */
  readonly size?: 'text' | 'total';
}

export function Money({ amount, currency, size = 'text' }: MoneyProps) {
  const { language } = useLanguage();
  return <span className={styles[size]}>{formatMoney(amount, currency, language)}</span>;
}
