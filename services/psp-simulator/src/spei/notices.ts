import { randomUUID } from 'node:crypto';
import type { BankEvent, Message } from '#src/bank/bank-event.ts';
import { speiTopic } from '#src/spei/bank.ts';
import { presentPayment, presentRefund, presentReturn, presentTransfer } from '#src/spei/present.ts';

/** What the account is notified of: each event a message of its own. */
export function speiMessages(event: BankEvent): Message[] {
  switch (event.kind) {
    case 'payment':
      return [message('charge.payment_received', presentPayment(event.payment, event.charge.reference), event.at)];
    case 'refund': {
      const type = event.refund.status === 'FAILED' ? 'refund.failed' : 'refund.settled';
      return [message(type, presentRefund(event.refund), event.at)];
    }
    case 'transfer': {
      const type = event.transfer.status === 'PAID' ? 'transfer.settled' : 'transfer.failed';
      return [message(type, presentTransfer(event.transfer), event.at)];
    }
    case 'transfer-return':
      return event.returns.map((part) =>
        message('transfer.returned', presentReturn(event.transfer.reference, part), event.at),
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
