import type { Tx } from '@gateway/persistence';
import { bacenMessages } from '#src/bacen/notices.ts';
import type { Dialect } from '#src/bank/bank.ts';
import { nextNotificationFault } from '#src/faults/next-fault.ts';
import { magicNotificationFaults } from '#src/faults/magic.ts';
import type { Happening, Message, Signing } from '#src/notifications/happening.ts';
import { speiMessages } from '#src/spei/notices.ts';
import { wooviMessages } from '#src/woovi/notices.ts';

/** A reordered notification waits this long, so that later ones overtake it. */
const reorderDelayMs = 1_500;

/** Writes the notifications of a happening, one for each address registered for it, in the transaction that made it true. */
export async function announce(tx: Tx, happening: Happening): Promise<void> {
  const dialect = dialectOf(happening);
  const messages = await messagesOf(tx, dialect, happening);
  for (const message of messages) {
    for (const target of await targetsOf(tx, dialect, message.topic)) {
      await enqueue(tx, {
        ...target,
        ...(await sendingOf(tx, dialect, happening)),
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

export async function messagesOf(tx: Tx, dialect: Dialect, happening: Happening): Promise<Message[]> {
  switch (dialect) {
    case 'bacen':
      return await bacenMessages(tx, happening);
    case 'spei':
      return speiMessages(happening);
    case 'woovi':
      return wooviMessages(happening);
  }
}

/** The addresses that are registered for a topic. */
export async function targetsOf(
  tx: Tx,
  dialect: Dialect,
  topic: string,
): Promise<{ readonly url: string; readonly secret: string | null }[]> {
  return await tx.sql<{ url: string; secret: string | null }>(
    'select url, secret from notification_target where dialect = $1 and topic = $2 and active order by created_at',
    [dialect, topic],
  );
}

async function sendingOf(tx: Tx, dialect: Dialect, happening: Happening) {
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
  const to = dialect === 'bacen' ? `${url}/pix` : url;
  for (let copy = 0; copy < copies; copy += 1) {
    await tx.sql(
      `insert into notification (dialect, topic, url, body, state, due_at, created_at, secret, signing)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [dialect, message.topic, to, body, isLost ? 'LOST' : 'PENDING', dueAt, at, secret, signing],
    );
  }
}

export function dialectOf(happening: Happening): Dialect {
  switch (happening.happening) {
    case 'payment':
    case 'refund':
    case 'charge-expired':
      return happening.charge.dialect as Dialect;
    case 'transfer':
    case 'transfer-return':
      return happening.transfer.dialect as Dialect;
    case 'dispute':
      return happening.dispute.dialect as Dialect;
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
