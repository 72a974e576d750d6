import { SpanKind, withSpan, type SecretBox } from '@gateway/runtime';
import { openHeaders } from '#src/endpoints/custom-headers.ts';
import type { Sender, WebhookRequest } from '#src/http/sender.ts';
import type { DeliveryJob, FinishedJob, SkipReason } from '#src/queue/delivery-job.ts';
import { openBody } from '#src/queue/stored-body.ts';

/**
 * The receiver was not called because its request could not be made, of secrets that cannot be opened for example. The
 * fault is the gateway's: nothing is recorded, and the delivery is due again when its lease has expired.
 */
class PreparationError extends Error {
  constructor(job: DeliveryJob, cause: unknown) {
    super(`delivery ${job.id} could not be prepared`, { cause });
    this.name = 'PreparationError';
  }
}

export interface SendJobDeps {
  readonly sender: Sender;
  readonly secretBox: SecretBox;
}

/**
 * Calls the receiver of a job, unless it has nowhere to go or nothing to send. A call that fails is an outcome.
 *
 * @throws PreparationError
 */
export async function sendJob(job: DeliveryJob, { sender, secretBox }: SendJobDeps): Promise<FinishedJob> {
  const startedMs = performance.now();
  const request = prepare(job, secretBox);
  if (typeof request === 'string') return { job, outcome: { kind: 'skipped', reason: request } };
  const attributes = { 'gateway.delivery_id': job.id, 'gateway.event': job.event };
  const options = { kind: SpanKind.CLIENT, parent: job.trace ?? {}, attributes };
  return await withSpan('webhook delivery', options, async (span) => {
    const attempt = await sender.send(request);
    span.setAttribute('http.response.status_code', attempt.response?.status ?? 0);
    if (attempt.error !== null) span.setAttribute('error.type', attempt.error);
    return { job, outcome: { kind: 'attempted', attempt, elapsedMs: performance.now() - startedMs } };
  });
}

/** The request to send, or why there is none. */
function prepare(job: DeliveryJob, secretBox: SecretBox): WebhookRequest | SkipReason {
  const { url, sealedSecret, secretOwner, nextSealedSecret, body } = job;
  if (url === null) return 'endpoint_deleted';
  if (job.remainingMs <= 0) return 'expired';
  if (body === null || sealedSecret === null || secretOwner === null) return 'body_expired';
  try {
    return {
      url,
      secret: secretBox.open(sealedSecret, secretOwner),
      nextSecret: nextSealedSecret === null ? undefined : secretBox.open(nextSealedSecret, secretOwner),
      eventId: job.eventId,
      deliveryId: job.id,
      attempt: job.attempts + 1,
      customHeaders: openHeaders(job.sealedHeaders, job.endpointId, secretBox),
      body: openBody(body, job.eventId, job.format, secretBox),
    };
  } catch (error) {
    throw new PreparationError(job, error);
  }
}
