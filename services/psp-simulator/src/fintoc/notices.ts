import { randomUUID } from 'node:crypto';
import type { Tx } from '@gateway/persistence';
import type { BankEvent, Message } from '#src/bank/bank-event.ts';
import { payerClabe } from '#src/fintoc/bank.ts';
import { presentInbound, presentOutbound, presentRefund } from '#src/fintoc/present.ts';

/** Whatever moves is one transfer, and its event carries it as it is then ("Types of events", docs.fintoc.com). */
export async function fintocMessages(tx: Tx, event: BankEvent): Promise<Message[]> {
  switch (event.kind) {
    case 'payment':
      return [message('transfer.inbound.succeeded', presentInbound(event.payment, event.charge), event.at)];
    case 'refund': {
      const name = event.refund.status === 'FAILED' ? 'transfer.outbound.failed' : 'transfer.outbound.succeeded';
      return [message(name, presentRefund(event.refund, payerClabe(event.refund.paymentId)), event.at)];
    }
    case 'transfer': {
      const name = event.transfer.status === 'PAID' ? 'transfer.outbound.succeeded' : 'transfer.outbound.failed';
      return [message(name, presentOutbound(event.transfer, 0), event.at)];
    }
    case 'transfer-return': {
      const claimed = event.returns.reduce((sum, { amount }) => sum + amount, 0);
      const [row] = await tx.sql<{ returned: number }>(
        'select coalesce(sum(amount), 0)::bigint as returned from transfer_return where transfer_id = $1',
        [event.transfer.id],
      );
      // A transfer comes back as a whole: a part of it is no event.
      const returned = Math.max(claimed, row?.returned ?? 0);
      if (returned < event.transfer.amount) return [];
      return [message('transfer.outbound.returned', presentOutbound(event.transfer, returned), event.at)];
    }
    // Over this interface there are no disputes, and an account number ends without a word.
    case 'charge-expired':
    case 'dispute':
      return [];
  }
}

function message(type: string, data: object, at: Date): Message {
  const body = { id: `evt_${randomUUID()}`, object: 'event', type, mode: 'test', created_at: at.toISOString(), data };
  return { topic: type, body };
}
