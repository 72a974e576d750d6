import type { Tx } from '@gateway/persistence';
import type { DialectName } from '#src/account/charge.ts';
import type { Dialect, Dialects } from '#src/bank/bank.ts';
import type { Happening, Message, Signing } from '#src/bank/happening.ts';
import { nextNotificationFault } from '#src/bank/next-fault.ts';
import { magicNotificationFaults } from '#src/faults/magic.ts';

/** A reordered notification waits this long, so that later ones overtake it. */
const reorderDelayMs = 1_500;

/** Writes the notifications of a happening, one for each address registered for it, in the transaction that made it true. */
export async function announce(tx: Tx, dialects: Dialects, happening: Happening): Promise<void> {
  const dialect = dialects[dialectOf(happening)];
  const messages = await dialect.messagesOf(tx, happening);
  for (const message of messages) {
    for (const target of await targetsOf(tx, dialect.name, message.topic)) {
      await enqueue(tx, {
        ...target,
        ...(await sendingOf(tx, dialect.name, happening)),
        dialect,
        message,
        at: happening.at,
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

/** The addresses that are registered for a topic. */
export async function targetsOf(
  tx: Tx,
  dialect: DialectName,
  topic: string,
): Promise<{ readonly url: string; readonly secret: string | null }[]> {
  return await tx.sql<{ url: string; secret: string | null }>(
    'select url, secret from notification_target where dialect = $1 and topic = $2 and active order by created_at',
    [dialect, topic],
  );
}

async function sendingOf(tx: Tx, dialect: DialectName, happening: Happening) {
  const fault = magicNotificationFaults[amountOf(happening)] ?? (await nextNotificationFault(tx, dialect));
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

export function dialectOf(happening: Happening): DialectName {
  switch (happening.happening) {
    case 'payment':
    case 'refund':
    case 'charge-expired':
      return happening.charge.dialect as DialectName;
    case 'transfer':
    case 'transfer-return':
      return happening.transfer.dialect as DialectName;
    case 'dispute':
      return happening.dispute.dialect as DialectName;
  }
}

function amountOf(happening: Happening): number {
  switch (happening.happening) {
    case 'payment':
      return happening.payment.amount;
    case 'refund':
      return happening.refund.amount;
    case 'charge-expired':
      return happening.charge.amount;
    case 'transfer':
    case 'transfer-return':
      return happening.transfer.amount;
    case 'dispute':
      return happening.dispute.amount;
  }
}
