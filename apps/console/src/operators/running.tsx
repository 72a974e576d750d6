import { Link } from '@tanstack/react-router';
import type { LedgerWriter, MessageLag, OverviewAnswer, Provider, Reconciliation } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { behindOf, writerState } from '#src/operators/describe-running.ts';
import { providerColumns } from '#src/providers/provider-columns.tsx';
import { resultToneOf } from '#src/reconciliation/describe-reconciliation.ts';
import { RecordTable } from '#src/records/record-table.tsx';
import records from '#src/records/record-page.module.css';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, formatTime, fromUnix } from '#src/texts/time.ts';
import styles from './overview.module.css';

interface RunningProps {
  readonly overview: Pick<OverviewAnswer, 'providers' | 'last_reconciliation' | 'messages' | 'ledger_writers'>;
  /** Of when it is. */
  readonly asOf: Date;
  /** Whether it could not be read for so long that it is shown as of then. */
  readonly isOld: boolean;
}

/** How the gateway is, for those who may see it: its providers, who writes the balances, and how far messages are behind. */
export function Running({ overview, asOf, isOld }: RunningProps) {
  const { texts } = useOperatorTexts();
  const { providers, last_reconciliation: run, messages, ledger_writers: writers } = overview;
  if (providers === null && messages === null && writers === null) return null;
  return (
    <section className={styles['section']} data-old={isOld}>
      <h2>{texts.running.title}</h2>
      <p className={styles['age']}>{texts.running.seen}</p>
      {run === null ? null : <LastRun run={run} />}
      {providers === null || providers.length === 0 ? null : <Providers rows={providers} />}
      {writers === null || writers.length === 0 ? null : <Writers rows={writers} asOf={asOf} />}
      {messages === null || messages.length === 0 ? null : <Messages rows={messages} />}
    </section>
  );
}

/** Whether the books agreed when they were compared last. */
function LastRun({ run: { status, finished_at: at } }: { readonly run: Reconciliation }) {
  const { texts, language } = useOperatorTexts();
  const { books } = texts;
  return (
    <p className={records['links']}>
      <Link to="/reconciliation">{texts.nav.reconciliation}</Link>
      <Status tone={resultToneOf[status]} word={books.status[status]} />
      {formatTime(fromUnix(at), language)}
    </p>
  );
}

function Providers({ rows }: { readonly rows: readonly Provider[] }) {
  const { texts } = useOperatorTexts();
  const { providers } = texts;
  const { first, last } = providerColumns(texts);
  return (
    <>
      <h3>{providers.title}</h3>
      <RecordTable
        caption={providers.title}
        rows={rows}
        keyOf={({ environment, id }) => `${environment}/${id}`}
        columns={[...first, ...last]}
      />
    </>
  );
}

function Writers({ rows, asOf }: { readonly rows: readonly LedgerWriter[]; readonly asOf: Date }) {
  const { texts, language } = useOperatorTexts();
  const { writers } = texts.running;
  const state = (row: LedgerWriter) => {
    const { tone, word } = writerState(row);
    return <Status tone={tone} word={writers[word]} />;
  };
  return (
    <>
      <h3>{writers.title}</h3>
      <RecordTable
        caption={writers.title}
        rows={rows}
        keyOf={({ environment, shard }) => `${environment}/${shard}`}
        columns={[
          { heading: writers.environment, show: ({ environment }) => texts.environment[environment] },
          { heading: writers.state, show: state },
          { heading: writers.writer, show: ({ writer }) => (writer === null ? '–' : <code>{writer}</code>) },
          {
            heading: writers.since,
            show: ({ since }) => (since === null ? '–' : formatAge(fromUnix(since), asOf, language)),
          },
          { heading: writers.standbys, align: 'right', show: ({ standbys }) => standbys },
          { heading: writers.waiting, align: 'right', show: ({ waiting }) => waiting ?? '–' },
        ]}
      />
    </>
  );
}

function Messages({ rows }: { readonly rows: readonly MessageLag[] }) {
  const { texts, language } = useOperatorTexts();
  const { messages } = texts.running;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const unhandled = (row: MessageLag) => {
    if (row.consumers.length === 0) return messages.readsNone;
    const behind = behindOf(row);
    if (behind.length === 0) return messages.allHandled;
    return (
      <span className={records['rows']}>
        {behind.map(({ consumer, waiting }) => (
          <span key={consumer}>
            {waiting === null ? messages.unknown(consumer) : messages.waiting(number.format(waiting), consumer)}
          </span>
        ))}
      </span>
    );
  };
  return (
    <>
      <h3>{messages.title}</h3>
      <RecordTable
        caption={messages.title}
        rows={rows}
        keyOf={({ service }) => service}
        columns={[
          { heading: texts.history.backlog.service, show: ({ service }) => service },
          { heading: messages.unpublished, align: 'right', show: ({ unpublished }) => number.format(unpublished) },
          { heading: messages.unhandled, show: unhandled },
        ]}
      />
    </>
  );
}
