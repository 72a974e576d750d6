import { randomUUID } from 'node:crypto';
import type { Happening, Message } from '#src/bank/happening.ts';
import { speiTopic } from '#src/spei/bank.ts';
import { presentPayment, presentRefund, presentReturn, presentTransfer } from '#src/spei/present.ts';

/** What the account is notified of: each event a message of its own. */
export function speiMessages(happening: Happening): Message[] {
  switch (happening.happening) {
    case 'payment':
      return [
        message('charge.payment_received', presentPayment(happening.payment, happening.charge.reference), happening.at),
      ];
    case 'refund': {
      const type = happening.refund.status === 'FAILED' ? 'refund.failed' : 'refund.settled';
      return [message(type, presentRefund(happening.refund), happening.at)];
    }
    case 'transfer': {
      const type = happening.transfer.status === 'PAID' ? 'transfer.settled' : 'transfer.failed';
      return [message(type, presentTransfer(happening.transfer), happening.at)];
    }
    case 'transfer-return':
      return happening.returns.map((part) =>
        message('transfer.returned', presentReturn(happening.transfer.reference, part), happening.at),
      );
    // Banks in Mexico have no disputes over this interface, and an unpaid charge ends without a word.
    case 'charge-expired':
    case 'dispute':
      return [];
  }
}

function message(type: string, data: object, at: Date): Message {
  return { topic: speiTopic, body: { id: `ntf_${randomUUID()}`, type, created_at: at.toISOString(), data } };
}
