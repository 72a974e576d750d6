import type { Tx } from '@gateway/persistence';
import type { DialectName } from '#src/account/charge.ts';
import type { BankEvent, Message, Signing } from '#src/bank/bank-event.ts';
import type { Dialect, Dialects } from '#src/bank/bank.ts';
import { nextNotificationFault } from '#src/bank/next-fault.ts';
import { activeTargetsOf } from '#src/bank/targets.ts';
import { magicNotificationFaults } from '#src/faults/magic.ts';

/** A reordered notification waits this long, so that later ones overtake it. */
const reorderDelayMs = 1_500;

/** Writes the notifications of an event, one for each address registered for it, in the transaction that made it true. */
export async function announce(tx: Tx, dialects: Dialects, event: BankEvent): Promise<void> {
  const dialect = dialects[dialectOf(event)];
  const messages = await dialect.messagesOf(tx, event);
  for (const message of messages) {
    for (const { url, secret, isRuled } of await activeTargetsOf(tx, dialect.name, message.topic)) {
      await enqueue(tx, {
        ...{ url, secret },
        ...(await sendingOf(tx, dialect.name, event, isRuled)),
        dialect,
        message,
        at: event.at,
      });
    }
  }
}

/** Where a notification goes, and how. */
export interface Sending {
  readonly dialect: Dialect;
  readonly url: string;
  /** Of the registration. */
  readonly secret: string | null;
  readonly message: Pick<Message, 'topic'> & { readonly body: object | string };
  readonly at: Date;
  readonly delayMs: number;
  readonly copies: number;
  readonly isLost?: boolean;
  readonly signing?: Signing;
}

async function sendingOf(tx: Tx, dialect: DialectName, event: BankEvent, isRuled: boolean) {
  const magic = magicNotificationFaults[amountOf(event)];
  const fault = magic ?? (isRuled ? await nextNotificationFault(tx, dialect) : null);
  return {
    delayMs: fault === 'reordered' ? reorderDelayMs : 0,
    copies: fault === 'duplicated' ? 2 : 1,
    isLost: fault === 'lost',
  };
}

/** Writes a notification to one address, as often as it is to be sent. */
export async function enqueue(tx: Tx, sending: Sending): Promise<void> {
  const { dialect, url, secret, message, at, delayMs, copies, isLost = false, signing = 'ours' } = sending;
  const body = typeof message.body === 'string' ? message.body : JSON.stringify(message.body);
  const dueAt = new Date(at.getTime() + delayMs);
  for (let copy = 0; copy < copies; copy += 1) {
    await tx.sql(
      `insert into notification (dialect, topic, url, body, state, due_at, created_at, secret, signing)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        dialect.name,
        message.topic,
        dialect.notificationUrl(url),
        body,
        isLost ? 'LOST' : 'PENDING',
        dueAt,
        at,
        secret,
        signing,
      ],
    );
  }
}

export function dialectOf(event: BankEvent): DialectName {
  switch (event.kind) {
    case 'payment':
    case 'refund':
    case 'charge-expired':
      return event.charge.dialect as DialectName;
    case 'transfer':
    case 'transfer-return':
      return event.transfer.dialect as DialectName;
    case 'dispute':
      return event.dispute.dialect as DialectName;
  }
}

function amountOf(event: BankEvent): number {
  switch (event.kind) {
    case 'payment':
      return event.payment.amount;
    case 'refund':
      return event.refund.amount;
    case 'charge-expired':
      return event.charge.amount;
    case 'transfer':
    case 'transfer-return':
      return event.transfer.amount;
    case 'dispute':
      return event.dispute.amount;
  }
}
