import type { Tx } from '@gateway/persistence';
import type { CobDetails } from '#src/bacen/cob/cob-request.ts';
import { presentPix } from '#src/bacen/pix/present-pix.ts';
import type { Happening, Message } from '#src/bank/happening.ts';
import { refundsOf } from '#src/movements/request-refund.ts';

/** What the Pix API notifies of, under the key it concerns: what was received and what of it went back. */
export async function bacenMessages(tx: Tx, happening: Happening): Promise<Message[]> {
  switch (happening.happening) {
    case 'payment':
    case 'refund': {
      const { payment, charge } = happening;
      const { chave: key } = charge.details as CobDetails;
      const refunds = await refundsOf(tx, payment.id);
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
