import type { Tx } from '@gateway/service-kit';
import { bacenMessages } from '#src/bacen/notices.ts';
import type { Dialect } from '#src/bank/bank.ts';
import { nextNotificationFault } from '#src/faults/next-fault.ts';
import { magicNotificationFaults } from '#src/faults/magic.ts';
import type { Happening, Message } from '#src/notifications/happening.ts';
import { speiMessages } from '#src/spei/notices.ts';
import { wooviMessages } from '#src/woovi/notices.ts';

/** A reordered notification waits this long, so that later ones overtake it. */
const reorderDelayMs = 1_500;

/** Writes the notifications of a happening, one for each address registered for it, in the transaction that made it true. */
export async function announce(tx: Tx, happening: Happening): Promise<void> {
  const dialect = dialectOf(happening);
  const messages = await messagesOf(tx, dialect, happening);
  for (const message of messages) await enqueue(tx, { dialect, message, happening });
}

async function messagesOf(tx: Tx, dialect: Dialect, happening: Happening): Promise<Message[]> {
  switch (dialect) {
    case 'bacen':
      return await bacenMessages(tx, happening);
    case 'spei':
      return speiMessages(happening);
    case 'woovi':
      return wooviMessages(happening);
  }
}

async function enqueue(
  tx: Tx,
  {
    dialect,
    message,
    happening,
  }: { readonly dialect: Dialect; readonly message: Message; readonly happening: Happening },
): Promise<void> {
  const targets = await tx.sql<{ url: string; secret: string | null }>(
    'select url, secret from notification_target where dialect = $1 and topic = $2 and active order by created_at',
    [dialect, message.topic],
  );
  for (const { url, secret } of targets) {
    const fault = magicNotificationFaults[amountOf(happening)] ?? (await nextNotificationFault(tx, dialect));
    const dueAt = new Date(happening.at.getTime() + (fault === 'reordered' ? reorderDelayMs : 0));
    const state = fault === 'lost' ? 'LOST' : 'PENDING';
    const copies = fault === 'duplicated' ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      await tx.sql(
        `insert into notification (dialect, topic, url, body, state, due_at, created_at, secret)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          dialect,
          message.topic,
          dialect === 'bacen' ? `${url}/pix` : url,
          JSON.stringify(message.body),
          state,
          dueAt,
          happening.at,
          secret,
        ],
      );
    }
  }
}

function dialectOf(happening: Happening): Dialect {
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
