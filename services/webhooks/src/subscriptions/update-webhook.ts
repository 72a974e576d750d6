import type { SecretBox } from '@gateway/service-kit';
import type { ReplyOf, RequestOf, updateWebhook as contract } from '@gateway/contracts';
import type { Database, Tx } from '@gateway/service-kit';
import { toWebhook, type Endpoint } from '#src/endpoints/endpoint.ts';
import { changeHeaders, requireValuesForOrigin } from '#src/endpoints/custom-headers.ts';
import { findEndpoint } from '#src/endpoints/find-endpoint.ts';
import { limitRate } from '#src/queue/limit-rate.ts';
import { checkTarget, type TargetGuard } from '#src/http/check-target.ts';

export interface UpdateWebhookDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly guard: TargetGuard;
  /** Something may be due. */
  readonly onDue: () => void;
}

/**
 * Changes what is given. What is under way keeps the URL it was claimed with; everything after uses the new one.
 *
 * @throws NotFoundError; ValidationError naming `url` when it may not be called, or a header whose value
 * there is nothing to keep of
 */
export async function updateWebhook(
  { database, secretBox, guard, onDue }: UpdateWebhookDeps,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  if (request.url !== undefined) await checkTarget(request.url, guard);
  return await database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx.em, request);
    const { name, url, events, status, headers, rateLimitPerSecond } = request;
    requireValuesForOrigin(endpoint, url, headers);
    if (name !== undefined) endpoint.name = name;
    if (url !== undefined) endpoint.url = url;
    if (events !== undefined) endpoint.events = [...new Set(events)];
    if (headers !== undefined) Object.assign(endpoint, changeHeaders(endpoint, headers, secretBox));
    if (rateLimitPerSecond !== undefined) {
      endpoint.rateLimit = rateLimitPerSecond;
      await limitRate(tx, endpoint.id, rateLimitPerSecond);
    }
    if (status !== undefined && status !== endpoint.status) await changeStatus(tx, endpoint, status);
    if (status === 'enabled') tx.afterCommit(onDue);
    return { webhook: toWebhook(endpoint) };
  });
}

/**
 * Paused or disabled, nothing is claimed any more. Enabled again, the lane starts afresh: what failed before says
 * nothing about the receiver now.
 */
async function changeStatus(tx: Tx, endpoint: Endpoint, status: Endpoint['status']): Promise<void> {
  const wasDisabled = endpoint.status === 'disabled';
  endpoint.status = status;
  endpoint.disabledReason = null;
  if (status !== 'enabled') {
    await tx.sql(
      `insert into lane (endpoint_id, owner, ready_at, halted)
       select id, environment || ' ' || account_id, 'infinity', true from endpoint where id = $1
       on conflict (endpoint_id) do update set halted = true`,
      [endpoint.id],
    );
    return;
  }
  await tx.sql(
    `update lane set halted = false, ready_at = now(), held_until = '-infinity', cap = 2, suspect = false,
            breaker = 'closed', openings = 0, failing_deliveries = '{}', failures = 0, window_attempts = 0, window_failures = 0,
            failing_since = case when $2 then null else failing_since end,
            warned_hours = case when $2 then 0 else warned_hours end, gone_count = 0, gone_since = null
      where endpoint_id = $1`,
    [endpoint.id, wasDisabled],
  );
}
