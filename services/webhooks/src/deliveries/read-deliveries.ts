import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { unixSeconds } from '@gateway/contracts/values';
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryStatus,
  WebhookEvent,
  getDelivery as getContract,
  listDeliveries as listContract,
} from '@gateway/contracts/webhooks';
import { RecordList, wanted, type Database } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';
import { requireEndpoint } from '#src/endpoints/endpoint.ts';
import { deliveryState } from '#src/queue/delivery-job.ts';
import { shownBody } from '#src/queue/stored-body.ts';

const statesByStatus = {
  PENDING: [deliveryState.waiting, deliveryState.leased],
  DELIVERED: [deliveryState.delivered],
  FAILED: [deliveryState.failed],
} as const satisfies Record<DeliveryStatus, readonly number[]>;

/**
 * A page of one endpoint's delivery log, newest first.
 *
 * @throws NotFoundError for an unknown endpoint; ValidationError naming `cursor` when it is no delivery of it
 */
export async function listDeliveries(
  database: Database,
  request: RequestOf<typeof listContract>,
): Promise<ReplyOf<typeof listContract>> {
  const { environment, accountId, webhookId, limit, cursor, dataId } = request;
  await requireEndpoint(database, { environment, accountId, id: webhookId });
  const page = await list.page(database, {
    limit,
    cursor,
    owned: [{ sql: 'd.endpoint_id = ?', values: [webhookId] }],
    filters: [...matching(request), ...wanted('d.data_id = ?', dataId)],
  });
  if (!page) throw unknownCursor('is not the id of a delivery of this webhook');
  return { deliveries: page.rows.map(toDelivery), nextCursor: page.nextCursor };
}

/** What every list of deliveries can be narrowed by. */
export function matching({ status, event }: Pick<RequestOf<typeof listContract>, 'status' | 'event'>) {
  return [
    ...wanted('d.state = any(?)', status === undefined ? undefined : statesByStatus[status]),
    ...wanted('d.event = ?', event),
  ];
}

export function unknownCursor(message: string): ValidationError {
  return new ValidationError([{ path: 'cursor', message }]);
}

export interface GetDeliveryDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
}

/** One delivery with its body and the log of its calls. @throws NotFoundError */
export async function getDelivery(
  { database, secretBox }: GetDeliveryDeps,
  request: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  await requireEndpoint(database, { ...request, id: request.webhookId });
  return { delivery: await readDetail({ database, secretBox }, request.webhookId, request.id) };
}

/** @throws NotFoundError */
export async function readDetail(
  { database, secretBox }: GetDeliveryDeps,
  endpointId: string,
  id: string,
): Promise<DeliveryDetail> {
  const [row] = await database.query<DeliveryRow & { event_id: string; format: string; body: Buffer | null }>(
    `select ${deliveryColumns}, d.event_id, d.format, event.body from ${deliverySource} left join event on ${isEventOfDelivery}
      where d.id = $1 and d.endpoint_id = $2`,
    [id, endpointId],
  );
  if (!row) throw new NotFoundError('delivery');
  const attempts = await database.query<AttemptRow>(
    'select * from attempt where delivery_id = $1 and started_at >= $2 order by started_at, number',
    [id, row.created_at],
  );
  const requestBody = row.body && shownBody(row.body, row.event_id, row.format, secretBox);
  return { ...toDelivery(row), requestBody, attemptLog: attempts.map(toAttempt) };
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

/** The event of a delivery, found by its whole key: the time of creation names the partition. */
export const isEventOfDelivery =
  'event.id = d.event_id and event.format = d.format and event.created_at = d.created_at';

/** The tables of `deliveryColumns`: a delivery waits for its own time and for that of its queue. */
export const deliverySource = withQueue('delivery');

/** The same for deliveries that a subquery has chosen. */
export function withQueue(deliveries: string): string {
  return `${deliveries} d left join endpoint_queue q on q.endpoint_id = d.endpoint_id`;
}

/** The columns `toDelivery` needs. */
export const deliveryColumns = `d.id, d.endpoint_id, d.url, d.event, d.data_id, d.state, d.attempts, d.latency_ms, d.response_status,
  case when d.state = ${deliveryState.waiting} and d.attempts = 0 and d.due_at < now() and q.breaker = 'open'
       then 'deferred_by_breaker' else d.error end as error,
  d.created_at,
  case when not q.halted or q.halted is null
       then greatest(d.due_at, case when q.breaker = 'open' then q.held_until end) end as due_at`;

const list = new RecordList<DeliveryRow>({ kind: 'delivery', from: deliverySource, columns: deliveryColumns });

export interface DeliveryRow {
  readonly id: string;
  readonly endpoint_id: string;
  /** Of callbacks. */
  readonly url: string | null;
  readonly event: WebhookEvent;
  readonly data_id: string;
  readonly state: number;
  readonly attempts: number;
  readonly latency_ms: number | null;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly created_at: Date;
  /** Null while the endpoint is paused or disabled. */
  readonly due_at: Date | null;
}

export function toDelivery(row: DeliveryRow): Delivery {
  const status = statusOf(row.state);
  return {
    id: row.id,
    webhookId: row.url === null ? row.endpoint_id : null,
    callbackUrl: row.url,
    event: row.event,
    dataId: row.data_id,
    status,
    attempts: row.attempts,
    latencyMs: row.latency_ms,
    responseStatus: row.response_status,
    error: row.error,
    createdAt: unixSeconds(row.created_at),
    nextAttemptAt: status === 'PENDING' && row.due_at ? unixSeconds(row.due_at) : null,
  };
}

function statusOf(state: number): DeliveryStatus {
  if (state === deliveryState.delivered) return 'DELIVERED';
  return state === deliveryState.failed ? 'FAILED' : 'PENDING';
}
