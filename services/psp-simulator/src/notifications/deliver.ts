import { createHmac, sign, type KeyObject } from 'node:crypto';
import type { Bank } from '#src/bank/bank.ts';
import type { Signing } from '#src/notifications/happening.ts';

export type NotificationSender = Pick<Bank, 'database' | 'now'>;

const batchMax = 20;
const deliveryTimeoutMs = 10_000;

export interface DeliveryOptions {
  /** Pause before the first repetition; doubled with each one. */
  readonly retryMs: number;
  readonly attemptsMax: number;
  /** Signs what Woovi sends. */
  readonly signingKey: KeyObject;
  /** Signs what the SPEI provider sends. */
  readonly speiSecret: string;
}

interface DueNotification {
  readonly id: number;
  readonly dialect: string;
  readonly url: string;
  readonly body: string;
  /** Of the registration it goes to. */
  readonly secret: string | null;
  readonly signing: Signing;
  readonly attempts: number;
}

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
  const result = await post(options, notification);
  const delivered = /^2\d\d$/.test(result);
  const given = notification.attempts >= options.attemptsMax ? 'GIVEN_UP' : 'PENDING';
  const pauseMs = options.retryMs * 2 ** (notification.attempts - 1);
  await bank.database.query('update notification set state = $2, last_result = $3, due_at = $4 where id = $1', [
    ...[notification.id, delivered ? 'DELIVERED' : given, result, new Date(bank.now().getTime() + pauseMs)],
  ]);
}

async function post(options: DeliveryOptions, due: DueNotification): Promise<string> {
  const { body } = due;
  const url = addressOf(due);
  const headers = { 'content-type': 'application/json', ...signaturesOf(options, due) };
  try {
    const signal = AbortSignal.timeout(deliveryTimeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return error instanceof Error ? error.name : 'failed';
  }
}

/** The Pix API has no signatures: there the notification is a hint, and what it proves is a secret in its address. */
function addressOf({ dialect, url, signing }: DueNotification): string {
  if (dialect !== 'bacen' || signing === 'ours' || signing === 'platform') return url;
  const address = new URL(url);
  if (signing === 'none') address.search = '';
  else address.search = address.search.replace(/hmac=[^&/]*/, 'hmac=wrong');
  return address.href;
}

function signaturesOf(options: DeliveryOptions, { dialect, body, secret, signing }: DueNotification) {
  if (signing === 'none') return {};
  const signed = signing === 'wrong' ? `${body} ` : body;
  switch (dialect) {
    case 'woovi':
      return {
        'x-webhook-signature': sign('sha256', Buffer.from(signed), options.signingKey).toString('base64'),
        ...(secret === null || signing === 'platform'
          ? {}
          : { 'x-openpix-signature': createHmac('sha1', secret).update(signed).digest('base64') }),
      };
    case 'spei': {
      const digest = createHmac('sha256', options.speiSecret).update(signed).digest('hex');
      // Only a secret of ours signs here, so another customer's notification is signed with another one.
      return { 'x-spei-signature': `sha256=${signing === 'platform' ? digest.replace(/./g, '0') : digest}` };
    }
    default:
      return {};
  }
}
