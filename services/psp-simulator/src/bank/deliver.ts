import { backoffMs } from '@gateway/runtime';
import type { DialectName } from '#src/account/charge.ts';
import type { Bank, Unsigned } from '#src/bank/bank.ts';

export type NotificationSender = Pick<Bank, 'database' | 'now' | 'dialects'>;

const batchMax = 20;
const deliveryTimeoutMs = 10_000;

export interface DeliveryOptions {
  /** Pause before the first repetition; doubled with each one. */
  readonly retryMs: number;
  readonly attemptsMax: number;
}

interface DueNotification extends Unsigned {
  readonly id: number;
  readonly dialect: DialectName;
  readonly attempts: number;
}

/** When the first notification is due. */
export const firstNotificationDue = `(select min(due_at) from notification where state = 'PENDING')`;

/** Sends what is due, oldest first; true when there may be more. A 2xx is a receipt, all else is repeated later. */
export async function deliverDue(bank: NotificationSender, options: DeliveryOptions): Promise<boolean> {
  const due = await claim(bank);
  await Promise.all(due.map((notification) => deliver(bank, options, notification)));
  return due.length === batchMax;
}

/** Takes the notifications by moving them past the delivery's own deadline: after a crash they are due again. */
async function claim({ database, now }: NotificationSender): Promise<DueNotification[]> {
  const at = now();
  return await database.query<DueNotification>(
    `update notification set due_at = $2, attempts = attempts + 1 where id in (
       select id from notification where state = 'PENDING' and due_at <= $1 order by due_at, id limit $3 for update skip locked
     ) returning id, dialect, url, body, secret, signing, attempts`,
    [at, new Date(at.getTime() + 2 * deliveryTimeoutMs), batchMax],
  );
}

async function deliver(
  bank: NotificationSender,
  options: DeliveryOptions,
  notification: DueNotification,
): Promise<void> {
  const result = await post(bank, notification);
  const delivered = /^2\d\d$/.test(result);
  const given = notification.attempts >= options.attemptsMax ? 'GIVEN_UP' : 'PENDING';
  const pauseMs = backoffMs(notification.attempts - 1, { firstMs: options.retryMs, maxMs: Infinity });
  await bank.database.query('update notification set state = $2, last_result = $3, due_at = $4 where id = $1', [
    ...[notification.id, delivered ? 'DELIVERED' : given, result, new Date(bank.now().getTime() + pauseMs)],
  ]);
}

async function post({ dialects }: NotificationSender, due: DueNotification): Promise<string> {
  const { body } = due;
  const { url, headers: proofs } = dialects[due.dialect].sign(due);
  const headers = { 'content-type': 'application/json', ...proofs };
  try {
    const signal = AbortSignal.timeout(deliveryTimeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return error instanceof Error ? error.name : 'failed';
  }
}
