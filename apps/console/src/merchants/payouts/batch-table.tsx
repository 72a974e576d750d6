import { Status } from '#src/look/status.tsx';
import type { PayoutRow } from '#src/merchants/payouts/payout-rows.ts';
import { Money } from '#src/money/money.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './batch-table.module.css';

interface BatchTableProps {
  readonly rows: readonly PayoutRow[];
  /** What the server found wrong, by its path: `payouts.3.external_id`. */
  readonly refused: Readonly<Record<string, string>>;
}

/** The rows of the file, each with what was understood of it or with what is wrong. */
export function BatchTable({ rows, refused }: BatchTableProps) {
  const { texts } = useMerchantTexts();
  const { facts, payments, payouts } = texts;
  const { batch: words, propose } = payouts;
  const refusedOf = (index: number) =>
    Object.entries(refused)
      .filter(([path]) => path.startsWith(`payouts.${index}.`))
      .map(([path, message]) => `${path.split('.').slice(2).join('.')} ${message}`);
  return (
    <RecordTable
      caption={words.title}
      rows={rows.map((row, index) => ({ ...row, refusals: refusedOf(index) }))}
      keyOf={({ line }) => String(line)}
      columns={[
        { heading: words.line, show: ({ line }) => line },
        { heading: facts.externalId, show: ({ typed }) => typed.external_id || '–' },
        { heading: facts.recipient, show: ({ typed }) => typed.name || '–' },
        { heading: payments.document, show: ({ typed }) => typed.document || '–' },
        {
          heading: facts.key,
          show: ({ typed, payout }) =>
            payout
              ? `${typed.key} (${propose.keyTypes[payout.payout_key_type as keyof typeof propose.keyTypes]})`
              : typed.key || '–',
        },
        {
          heading: facts.amount,
          align: 'right',
          show: ({ typed, payout }) => (payout ? <Money amount={payout.amount} currency="BRL" /> : typed.amount || '–'),
        },
        {
          heading: facts.status,
          show: ({ faults, refusals }) => {
            const wrong = [...faults.map((fault) => words.fault[fault]), ...refusals];
            if (wrong.length === 0) return <Status tone="good" word={words.ok} />;
            return (
              <span className={styles['wrong']}>
                <Status tone="bad" word={words.bad} />
                <span>{wrong.join(' ')}</span>
              </span>
            );
          },
        },
      ]}
    />
  );
}
