import { Change } from '#src/changes/change.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { textIn } from '#src/changes/typed.ts';
import { confirmReconciliation } from '#src/generated/sdk.gen.ts';
import type { Reconciliation, ReconciliationCheck } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { CheckFindings } from '#src/reconciliation/check-findings.tsx';
import { failedFirst, resultToneOf } from '#src/reconciliation/describe-reconciliation.ts';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** The newest run with its checks, what they found, and who answers for it. */
export function LastRun({ run }: { readonly run: Reconciliation }) {
  const { texts, language } = useOperatorTexts();
  const { books } = texts;
  const { signed_off: signed } = run;
  return (
    <section className={styles['section']}>
      <h2>{books.last}</h2>
      <p>
        <Status tone={resultToneOf[run.status]} word={books.status[run.status]} />{' '}
        {formatTime(fromUnix(run.finished_at), language)}
      </p>
      {signed ? (
        <p>
          {books.signOff.by(signed.by, formatTime(fromUnix(signed.at), language))} {signed.reason}
        </p>
      ) : (
        <SignOff run={run} />
      )}
      <Checks run={run.id} rows={failedFirst(run.checks)} />
    </section>
  );
}

/** One operator answers for a run where everything agrees; else it is proposed for another. */
function SignOff({ run }: { readonly run: Reconciliation }) {
  const { texts } = useOperatorTexts();
  const { signOff } = texts.books;
  const may = useMay();
  if (!may(run.status === 'OK' ? 'operations:write' : 'money:propose')) return null;
  return (
    <Changes>
      <Change
        open={signOff.open}
        title={signOff.title}
        about={signOff.about[run.status]}
        confirm={signOff.confirm[run.status]}
        hasReason
        send={(typed) =>
          bodyOf(confirmReconciliation({ path: { id: run.id }, body: { reason: textIn(typed, 'reason') } }))
        }
      />
    </Changes>
  );
}

interface ChecksProps {
  readonly run: string;
  readonly rows: readonly ReconciliationCheck[];
}

function Checks({ run, rows }: ChecksProps) {
  const { texts } = useOperatorTexts();
  const { books, facts } = texts;
  return (
    <RecordTable
      caption={books.check}
      rows={rows}
      keyOf={({ name, environment }) => `${name} ${environment}`}
      columns={[
        { heading: books.check, show: ({ name }) => books.checks[name] },
        { heading: facts.environment, show: ({ environment }) => texts.environment[environment] },
        {
          heading: facts.status,
          show: ({ status }) => (
            <Status tone={resultToneOf[status]} word={status === 'OK' ? 'OK' : books.status.DISCREPANCY} />
          ),
        },
        { heading: books.examined, align: 'right', show: ({ examined }) => examined },
        {
          heading: books.findings,
          show: (check) => (check.findings.length === 0 ? '–' : <CheckFindings run={run} check={check} />),
        },
      ]}
    />
  );
}
