import { RowArrays, type ColumnType } from '@gateway/persistence';
import type { DeliveryJob, FinishedJob } from '#src/queue/delivery-job.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';
import { immediateRetries } from '#src/queue/retry-schedule.ts';

/** The columns of `attempt` that are written as they are given. Headers are JSON text, so that they keep their order. */
const loggedColumns = {
  delivery_id: 'text',
  endpoint_id: 'text',
  number: 'integer',
  trigger: 'text',
  url: 'text',
  peer_address: 'text',
  dns_ms: 'integer',
  connect_ms: 'integer',
  tls_ms: 'integer',
  first_byte_ms: 'integer',
  total_ms: 'integer',
  reused_connection: 'boolean',
  response_status: 'integer',
  error: 'text',
  request_headers: 'text',
  response_headers: 'text',
  response_body: 'text',
  response_body_base64: 'boolean',
  response_truncated: 'boolean',
} as const satisfies Record<string, ColumnType>;
type LoggedColumn = keyof typeof loggedColumns;
const loggedNames = Object.keys(loggedColumns) as LoggedColumn[];

const attemptArrays = new RowArrays<LoggedColumn | 'elapsed_ms' | 'next_in_ms'>([
  ...loggedNames.map((name) => [name, loggedColumns[name]] as const),
  ['elapsed_ms', 'integer'],
  ['next_in_ms', 'integer'],
]);

/** Times are the database's, whatever the clock of this machine says. */
const insertStatement = `
  insert into attempt (${loggedNames.join(', ')}, started_at, next_attempt_at, replica)
  select ${loggedNames.map(loggedValue).join(', ')}, now() - elapsed_ms * interval '1 millisecond',
         now() + next_in_ms * interval '1 millisecond', $1
    from ${attemptArrays.from(2, 'logged')}`;

function loggedValue(name: LoggedColumn): string {
  return name === 'request_headers' || name === 'response_headers' ? `${name}::json` : name;
}

/** A finished job, and in how many milliseconds its next attempt comes; null when there is none. */
export interface LoggedJob {
  readonly finished: FinishedJob;
  readonly nextInMs: number | null;
}

/** Writes the log: one row per call of a receiver, with the URL as it was. */
export async function logAttempts(tx: PreparedTx, logged: readonly LoggedJob[], replica: string): Promise<void> {
  const rows = logged.flatMap(attemptRow);
  if (rows.length === 0) return;
  await tx.sql(insertStatement, [replica, ...attemptArrays.parametersOf(rows)], 'webhooks-log-attempts');
}

function attemptRow({ finished: { job, outcome }, nextInMs }: LoggedJob) {
  if (outcome.kind === 'skipped') return [];
  const { attempt, elapsedMs } = outcome;
  const { response, timings } = attempt;
  return [
    {
      delivery_id: job.id,
      endpoint_id: job.endpointId,
      number: job.attempts + 1,
      trigger: triggerOf(job),
      url: job.url,
      peer_address: attempt.peerAddress,
      dns_ms: wholeMs(timings.dnsMs),
      connect_ms: wholeMs(timings.connectMs),
      tls_ms: wholeMs(timings.tlsMs),
      first_byte_ms: response ? wholeMs(attempt.latencyMs) : null,
      total_ms: wholeMs(attempt.totalMs),
      reused_connection: attempt.reusedConnection,
      response_status: response?.status ?? null,
      error: attempt.error,
      request_headers: JSON.stringify(attempt.requestHeaders),
      response_headers: response ? JSON.stringify(response.headers) : null,
      response_body: response?.body ?? null,
      response_body_base64: response?.bodyBase64 ?? false,
      response_truncated: response?.truncated ?? false,
      elapsed_ms: wholeMs(elapsedMs),
      next_in_ms: nextInMs,
    },
  ];
}

function triggerOf({ probe, attempts, cycleAttempts }: DeliveryJob): string {
  if (probe) return 'probe';
  if (cycleAttempts === 0) return attempts === 0 ? 'first' : 'manual';
  return cycleAttempts <= immediateRetries ? 'immediate' : 'redelivery';
}

function wholeMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
