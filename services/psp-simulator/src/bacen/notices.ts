import type { Tx } from '@gateway/persistence';
import type { CobDetails } from '#src/bacen/cob-request.ts';
import { presentPix } from '#src/bacen/pix.ts';
import type { BankEvent, Message } from '#src/bank/bank-event.ts';
import { refundsOf } from '#src/movements/request-refund.ts';

/** What the Pix API notifies of, under the key it concerns: what was received and what of it went back. */
export async function bacenMessages(tx: Tx, event: BankEvent): Promise<Message[]> {
  switch (event.kind) {
    case 'payment':
    case 'refund': {
      const { payment, charge } = event;
      const { chave: key } = charge.details as CobDetails;
      const refunds = event.kind === 'refund' ? await refundsOf(tx, payment.id) : [];
      const item = presentPix({ payment, txid: charge.reference, key, refunds });
      return [{ topic: key, body: { pix: [item] } }];
    }
    case 'transfer':
    case 'transfer-return':
    case 'charge-expired':
    case 'dispute':
      return [];
  }
}
