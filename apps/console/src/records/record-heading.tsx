import type { Environment } from '#src/generated/types.gen.ts';
import { Status, type Tone } from '#src/look/status.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import { Money } from '#src/money/money.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { PageName } from '#src/records/page-name.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './record-page.module.css';

interface RecordHeadingProps {
  /** What kind of record it is, as a word. */
  readonly kind: string;
  readonly record: {
    readonly id: string;
    /** In the smallest unit of the currency. */
    readonly amount_cents: number;
    readonly currency: string;
    readonly environment: Environment;
  };
  readonly tone: Tone;
  /** Its state, as a word. */
  readonly state: string;
}

/** What a page is about: the amount first, then its state, and whether it is real money. */
export function RecordHeading({ kind, record, tone, state }: RecordHeadingProps) {
  const { texts, language } = useLanguage();
  const { id, amount_cents: amount, currency, environment } = record;
  return (
    <header className={styles['heading']}>
      <p className={styles['kind']}>{kind}</p>
      <PageName tab={`${kind} ${formatMoney(amount, currency, language)} · ${texts.product}`}>
        <Money amount={amount} currency={currency} size="total" />
      </PageName>
      <span aria-live="polite">
        <Status tone={tone} word={state} />
      </span>
      <EnvironmentBadge environment={environment} />
      <RecordId id={id} />
    </header>
  );
}
