import { WebhookDisabled, WebhookFailing, type DisabledReason } from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { emit } from '@gateway/persistence';
import { toWebhook } from '#src/endpoints/endpoint.ts';
import { haltQueue } from '#src/queue/queue-table.ts';
import type { Transition } from '#src/queue/outcome.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';
import type { QueueState } from '#src/queue/queue-state.ts';

const hourMs = 3_600_000;
/** Hours of nothing but failures after which the owner is warned, and after which the endpoint is disabled. */
const warningHours = [48, 24, 12, 1] as const;
const disableHours = 72;
/** 410 says that an endpoint is gone; a single one may be an accident of a deployment. */
const goneAnswersMin = 3;
const goneForMs = 10 * 60_000;

export type HealthAction =
  | { readonly kind: 'none' }
  | { readonly kind: 'warn'; readonly failingHours: number }
  | { readonly kind: 'disable'; readonly reason: DisabledReason };

/** What the failures of an endpoint demand (webhooks.md 6 and 7). */
export function healthActionFor(state: QueueState, nowMs: number): HealthAction {
  if (state.goneSinceMs !== null && state.goneCount >= goneAnswersMin && nowMs - state.goneSinceMs >= goneForMs) {
    return { kind: 'disable', reason: 'gone' };
  }
  if (state.failingSinceMs === null) return { kind: 'none' };
  const failedHours = (nowMs - state.failingSinceMs) / hourMs;
  if (failedHours >= disableHours) return { kind: 'disable', reason: 'failing' };
  const failingHours = warningHours.find((hours) => failedHours >= hours) ?? 0;
  return failingHours > state.warnedHours ? { kind: 'warn', failingHours } : { kind: 'none' };
}

/**
 * Warns the owners of endpoints that keep failing, and disables endpoints that have failed for too long or asked to
 * stop, in the transaction that recorded it.
 *
 * @returns the states, with the warnings that were given
 */
export async function enforceHealthPolicy(
  tx: PreparedTx,
  states: ReadonlyMap<string, QueueState>,
  transitions: readonly Transition[],
  nowMs: number,
): Promise<ReadonlyMap<string, QueueState>> {
  const askedToStop = new Set(transitions.flatMap(endpointAskingToStop));
  const enforced = new Map(states);
  for (const [endpointId, state] of states) {
    const action: HealthAction = askedToStop.has(endpointId)
      ? { kind: 'disable', reason: 'asked_to_stop' }
      : healthActionFor(state, nowMs);
    if (action.kind === 'none') continue;
    if (action.kind === 'warn') enforced.set(endpointId, { ...state, warnedHours: action.failingHours });
    await carryOut(tx, endpointId, action, Math.floor(nowMs / 1_000));
  }
  return enforced;
}

function endpointAskingToStop({ finished: { job, outcome } }: Transition): string[] {
  const asked = outcome.kind === 'attempted' && outcome.attempt.response?.control === 'disable';
  return asked ? [job.endpointId] : [];
}

/** Endpoints that were paused, disabled or removed since stay as they are, and those of callback URLs always. */
async function carryOut(
  tx: PreparedTx,
  endpointId: string,
  action: Exclude<HealthAction, { kind: 'none' }>,
  occurredAt: number,
): Promise<void> {
  const endpoint =
    action.kind === 'disable' ? await disable(tx, endpointId, action.reason) : await readEnabled(tx, endpointId);
  if (!endpoint) return;
  const common = { id: newId('event'), occurredAt, webhook: toWebhook(endpoint) };
  if (action.kind === 'warn') await emit(tx, WebhookFailing, { ...common, failingHours: action.failingHours });
  else await emit(tx, WebhookDisabled, { ...common, reason: action.reason });
}

type EndpointRow = Parameters<typeof toWebhook>[0];

const webhookColumns = `id, environment, account_id as "accountId", name, url, events, status,
  disabled_reason as "disabledReason", api_version as "apiVersion", header_names as "headerNames",
  rate_limit as "rateLimit", created_at as "createdAt"`;
const isEnabledWebhook = `id = $1 and kind = 'registered' and status = 'enabled'`;

async function readEnabled(tx: PreparedTx, endpointId: string): Promise<EndpointRow | undefined> {
  const [endpoint] = await tx.sql<EndpointRow>(
    `select ${webhookColumns} from endpoint where ${isEnabledWebhook} for update`,
    [endpointId],
  );
  return endpoint;
}

async function disable(tx: PreparedTx, endpointId: string, reason: DisabledReason): Promise<EndpointRow | undefined> {
  const [endpoint] = await tx.sql<EndpointRow>(
    `update endpoint set status = 'disabled', disabled_reason = $2 where ${isEnabledWebhook}
     returning ${webhookColumns}`,
    [endpointId, reason],
  );
  if (endpoint) await haltQueue(tx, endpointId);
  return endpoint;
}
