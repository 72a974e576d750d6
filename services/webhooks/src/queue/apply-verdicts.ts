import { newId, WebhookDisabled, WebhookFailing, type DisabledReason } from '@gateway/contracts';
import { outboxCommitted, outboxRow } from '@gateway/service-kit';
import { toWebhook } from '#src/endpoints/endpoint.ts';
import { judgeEndpoint, type HealthVerdict } from '#src/queue/endpoint-health.ts';
import type { Lane } from '#src/queue/lane.ts';
import type { PreparedTx } from '#src/queue/prepared-transaction.ts';
import type { Settled } from '#src/queue/settle.ts';

type Step = Exclude<HealthVerdict, { kind: 'well' }>;

/**
 * Warns about endpoints that keep failing and disables those that are given up, in the transaction that knows of it.
 *
 * @returns the lanes, with what the owners have been warned about
 */
export async function applyVerdicts(
  tx: PreparedTx,
  lanes: ReadonlyMap<string, Lane>,
  settled: readonly Settled[],
  nowMs: number,
): Promise<ReadonlyMap<string, Lane>> {
  const askedToStop = new Set(settled.flatMap(endpointAskingToStop));
  const judged = new Map(lanes);
  for (const [endpointId, lane] of lanes) {
    const verdict: HealthVerdict = askedToStop.has(endpointId)
      ? { kind: 'disable', reason: 'asked_to_stop' }
      : judgeEndpoint(lane, nowMs);
    if (verdict.kind === 'well') continue;
    if (verdict.kind === 'warn') judged.set(endpointId, { ...lane, warnedHours: verdict.failingHours });
    await apply(tx, endpointId, verdict, Math.floor(nowMs / 1_000));
  }
  return judged;
}

function endpointAskingToStop({ finished }: Settled): string[] {
  const asked = 'attempt' in finished && finished.attempt.response?.control === 'disable';
  return asked ? [finished.claimed.endpoint_id] : [];
}

/** Says nothing when the owner has paused, disabled or removed the endpoint meanwhile; callbacks are never given up. */
async function apply(tx: PreparedTx, endpointId: string, step: Step, occurredAt: number): Promise<void> {
  const reason = step.kind === 'disable' ? step.reason : null;
  const endpoint = await disableOrRead(tx, endpointId, reason);
  if (!endpoint) return;
  const common = { id: newId('event'), occurredAt, webhook: toWebhook(endpoint) };
  const row =
    step.kind === 'warn'
      ? outboxRow(WebhookFailing, { ...common, failingHours: step.failingHours })
      : outboxRow(WebhookDisabled, { ...common, reason: step.reason });
  await tx.sql('insert into outbox (id, subject, payload, trace) values ($1, $2, $3, $4)', [
    row.id,
    row.subject,
    row.payload,
    row.trace,
  ]);
  tx.afterCommit(() => outboxCommitted());
}

async function disableOrRead(
  tx: PreparedTx,
  endpointId: string,
  reason: DisabledReason | null,
): Promise<Parameters<typeof toWebhook>[0] | undefined> {
  const [endpoint] = await tx.sql<Parameters<typeof toWebhook>[0]>(
    `update endpoint set status = case when $2::text is null then status else 'disabled' end, disabled_reason = $2
      where id = $1 and kind = 'registered' and status = 'enabled'
     returning id, environment, account_id as "accountId", name, url, events, status,
       disabled_reason as "disabledReason", api_version as "apiVersion", header_names as "headerNames",
       rate_limit as "rateLimit", created_at as "createdAt"`,
    [endpointId, reason],
  );
  if (endpoint && reason !== null) {
    await tx.sql('update lane set halted = true where endpoint_id = $1', [endpointId]);
  }
  return endpoint;
}
