import type { Delivery, DeliveryStatus, WebhookEvent } from '@gateway/contracts';

/** `delivery.state` of the table. */
export const deliveryState = { waiting: 0, leased: 1, delivered: 2, failed: 3 } as const;

export const statesOf = {
  PENDING: [deliveryState.waiting, deliveryState.leased],
  DELIVERED: [deliveryState.delivered],
  FAILED: [deliveryState.failed],
} as const satisfies Record<DeliveryStatus, readonly number[]>;

/** Where the columns come from: a delivery waits for its own time and for that of its lane. */
export const deliverySource = 'delivery d left join lane on lane.endpoint_id = d.endpoint_id';

/** The columns `toDelivery` needs. */
export const deliveryColumns = `d.id, d.event, d.data_id, d.state, d.attempts, d.latency_ms, d.response_status,
  case when d.state = 0 and d.attempts = 0 and d.due_at < now() and lane.breaker = 'open'
       then 'deferred_by_breaker' else d.error end as error,
  d.created_at,
  case when not lane.halted or lane.halted is null
       then greatest(d.due_at, case when lane.breaker = 'open' then lane.held_until end) end as due_at`;

export interface DeliveryRow {
  readonly id: string;
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

function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
