import { RowArrays, WriteQueue } from '@gateway/persistence';
import { backoffMs } from '@gateway/runtime';
import type { DialectName } from '#src/account/charge.ts';
import type { Bank, Unsigned } from '#src/bank/bank.ts';

export type NotificationSender = Pick<Bank, 'database' | 'now' | 'dialects'>;

const batchMax = 100;
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
  const results = new WriteQueue((batch: readonly Result[]) => record(bank, batch));
  await Promise.all(due.map(async (notification) => results.add(await deliver(bank, options, notification))));
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
    'claim-notifications',
  );
}

interface Result {
  readonly id: number;
  readonly state: string;
  readonly answer: string;
  readonly dueAt: Date;
}

async function deliver(
  bank: NotificationSender,
  { retryMs: firstMs, attemptsMax }: DeliveryOptions,
  notification: DueNotification,
): Promise<Result> {
  const { id, attempts } = notification;
  const answer = await post(bank, notification);
  const given = attempts >= attemptsMax ? 'GIVEN_UP' : 'PENDING';
  const pauseMs = backoffMs(attempts - 1, { firstMs, maxMs: Infinity });
  const state = /^2\d\d$/.test(answer) ? 'DELIVERED' : given;
  return { id, state, answer, dueAt: new Date(bank.now().getTime() + pauseMs) };
}

const resultArrays = new RowArrays<keyof Result>([
  ['id', 'bigint'],
  ['state', 'text'],
  ['answer', 'text'],
  ['dueAt', 'timestamptz'],
]);

async function record({ database }: NotificationSender, batch: readonly Result[]): Promise<readonly true[]> {
  await database.query(
    `update notification set state = result.state, last_result = result.answer, due_at = result."dueAt"
     from ${resultArrays.from(1, 'result')} where notification.id = result.id`,
    resultArrays.parametersOf(batch),
    'record-notifications',
  );
  return batch.map(() => true);
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
