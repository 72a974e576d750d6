import type { Tx } from '@gateway/persistence';
import type { CobDetails } from '#src/bacen/cob/cob-request.ts';
import { presentPix } from '#src/bacen/pix/present-pix.ts';
import { presentSentNotice } from '#src/efi/present-sent.ts';
import type { Happening, Message } from '#src/notifications/happening.ts';
import { refundsOf } from '#src/refunds/request-refund.ts';

/** What the Pix API and Efí notify of, under the key it concerns. Expiry and disputes are not among it. */
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
    case 'transfer-return': {
      const { transfer, returns } = happening;
      return [{ topic: String(transfer.details['payingKey']), body: { pix: [presentSentNotice(transfer, returns)] } }];
    }
    case 'charge-expired':
    case 'dispute':
      return [];
  }
}
