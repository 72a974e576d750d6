import {
  NotFoundError,
  type DeliveryAttempt,
  type ReplyOf,
  type RequestOf,
  type getDelivery as contract,
} from '@gateway/contracts';
import type { Database, SecretBox } from '@gateway/service-kit';
import { deliveryColumns, deliverySource, toDelivery, type DeliveryRow } from '#src/deliveries/delivery-row.ts';
import { findEndpoint } from '#src/endpoints/find-endpoint.ts';
import { shownBody } from '#src/queue/stored-body.ts';

export interface GetDeliveryDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
}

/** One delivery with its body and every call that was made for it. @throws NotFoundError */
export async function getDelivery(
  { database, secretBox }: GetDeliveryDeps,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  await findEndpoint(database.reader(), { ...request, id: request.webhookId });
  const [row] = await database.query<DeliveryRow & { event_id: string; format: string; body: Buffer | null }>(
    `select ${deliveryColumns}, d.event_id, d.format, event.body
       from ${deliverySource}
       left join event on event.id = d.event_id and event.format = d.format and event.created_at = d.created_at
      where d.id = $1 and d.endpoint_id = $2`,
    [request.id, request.webhookId],
  );
  if (!row) throw new NotFoundError('delivery');
  const attempts = await database.query<AttemptRow>(
    'select * from attempt where delivery_id = $1 and started_at >= $2 order by started_at, number',
    [request.id, row.created_at],
  );
  const requestBody = row.body && shownBody(row.body, row.event_id, row.format, secretBox);
  return { delivery: { ...toDelivery(row), requestBody, attemptLog: attempts.map(toAttempt) } };
}

interface AttemptRow {
  readonly number: number;
  readonly trigger: DeliveryAttempt['trigger'];
  readonly url: string;
  readonly peer_address: string | null;
  readonly started_at: Date;
  readonly dns_ms: number | null;
  readonly connect_ms: number | null;
  readonly tls_ms: number | null;
  readonly first_byte_ms: number | null;
  readonly total_ms: number;
  readonly reused_connection: boolean;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly request_headers: Record<string, string>;
  readonly response_headers: Record<string, string> | null;
  readonly response_body: string | null;
  readonly response_body_base64: boolean;
  readonly response_truncated: boolean;
}

function toAttempt(row: AttemptRow): DeliveryAttempt {
  return {
    number: row.number,
    trigger: row.trigger,
    startedAt: row.started_at.toISOString(),
    url: row.url,
    peerAddress: row.peer_address,
    reusedConnection: row.reused_connection,
    dnsMs: row.dns_ms,
    connectMs: row.connect_ms,
    tlsMs: row.tls_ms,
    firstByteMs: row.first_byte_ms,
    latencyMs: row.total_ms,
    responseStatus: row.response_status,
    error: row.error,
    requestHeaders: row.request_headers,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
    responseBodyBase64: row.response_body_base64,
    responseTruncated: row.response_truncated,
  };
}
