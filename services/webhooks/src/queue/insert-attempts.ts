import type { Claimed } from '#src/queue/claim.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';
import type { Finished } from '#src/queue/settle.ts';

/** A call, and in how many milliseconds the next one comes; null when there is none. */
export interface Logged {
  readonly finished: Finished;
  readonly nextInMs: number | null;
}

/** The log: one row per call, with the URL as it was. Times are the database's, whatever this machine's clock says. */
export async function insertAttempts(tx: PreparedTx, logged: readonly Logged[], replica: string): Promise<void> {
  const rows = logged.flatMap(attemptRow);
  if (rows.length === 0) return;
  await tx.sql(
    `insert into attempt
       (delivery_id, endpoint_id, number, trigger, url, peer_address, started_at, dns_ms, connect_ms, tls_ms,
        first_byte_ms, total_ms, reused_connection, response_status, error, request_headers, response_headers,
        response_body, response_body_base64, response_truncated, next_attempt_at, replica)
     select delivery_id, endpoint_id, number, trigger, url, peer_address,
            now() - elapsed_ms * interval '1 millisecond', dns_ms, connect_ms, tls_ms,
            first_byte_ms, total_ms, reused_connection, response_status, error, request_headers, response_headers,
            response_body, response_body_base64, response_truncated,
            now() + next_in_ms * interval '1 millisecond', $2
       from json_to_recordset($1::json) as a (
         delivery_id text, endpoint_id text, number integer, trigger text, url text, peer_address text,
         elapsed_ms float8, dns_ms integer, connect_ms integer, tls_ms integer, first_byte_ms integer,
         total_ms integer, reused_connection boolean, response_status smallint, error text, request_headers json,
         response_headers json, response_body text, response_body_base64 boolean, response_truncated boolean,
         next_in_ms float8)`,
    [JSON.stringify(rows), replica],
  );
}

function attemptRow({ finished, nextInMs }: Logged): object[] {
  if ('notSent' in finished) return [];
  const { claimed, attempt, elapsedMs } = finished;
  const { response, timings } = attempt;
  return [
    {
      delivery_id: claimed.id,
      endpoint_id: claimed.endpoint_id,
      number: claimed.attempts + 1,
      trigger: triggerOf(claimed),
      url: claimed.url,
      peer_address: attempt.peerAddress,
      elapsed_ms: elapsedMs,
      dns_ms: whole(timings.dnsMs),
      connect_ms: whole(timings.connectMs),
      tls_ms: whole(timings.tlsMs),
      first_byte_ms: response ? whole(attempt.latencyMs) : null,
      total_ms: whole(attempt.totalMs),
      reused_connection: attempt.reusedConnection,
      response_status: response?.status ?? null,
      error: attempt.error,
      request_headers: attempt.requestHeaders,
      response_headers: response?.headers ?? null,
      response_body: response?.body ?? null,
      response_body_base64: response?.bodyBase64 ?? false,
      response_truncated: response?.truncated ?? false,
      next_in_ms: nextInMs,
    },
  ];
}

function triggerOf({ probe, attempts, cycle_attempts }: Claimed): string {
  if (probe) return 'probe';
  if (cycle_attempts === 0) return attempts === 0 ? 'first' : 'manual';
  return cycle_attempts <= 2 ? 'immediate' : 'redelivery';
}

function whole(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
