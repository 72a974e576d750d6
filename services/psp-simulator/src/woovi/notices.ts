import type { Tx } from '@gateway/service-kit';
import type { DisputeStatus } from '#src/disputes/dispute.ts';
import type { Happening, Message } from '#src/notifications/happening.ts';
import { refundsOf } from '#src/refunds/request-refund.ts';
import { presentDispute } from '#src/woovi/present-dispute.ts';
import { presentPayment } from '#src/woovi/payments.ts';
import { presentCharge, presentPayer, type WooviChargeDetails } from '#src/woovi/present-charge.ts';
import { presentRefund } from '#src/woovi/refunds.ts';

const company = { id: '64cab82a485da23384a4e3af', name: 'PSP SIMULATOR', taxID: '11222333000181' };
const account = { clientId: 'simulator' };

const disputeEvents = {
  OPEN: 'OPENPIX:DISPUTE_CREATED',
  UNDER_ANALYSIS: 'OPENPIX:DISPUTE_CREATED',
  ACCEPTED: 'OPENPIX:DISPUTE_ACCEPTED',
  REJECTED: 'OPENPIX:DISPUTE_REJECTED',
  CANCELED: 'OPENPIX:DISPUTE_CANCELED',
} as const satisfies Record<DisputeStatus, string>;

/** What Woovi notifies of: each event a message of its own. */
export async function wooviMessages(tx: Tx, happening: Happening): Promise<Message[]> {
  switch (happening.happening) {
    case 'payment':
      return paymentMessages(happening);
    case 'refund':
      return await refundMessages(tx, happening);
    case 'charge-expired': {
      const charge = presentCharge(happening.charge, happening.at);
      return [message('OPENPIX:CHARGE_EXPIRED', { charge, company })];
    }
    case 'transfer': {
      const event = happening.transfer.status === 'PAID' ? 'OPENPIX:MOVEMENT_CONFIRMED' : 'OPENPIX:MOVEMENT_FAILED';
      return [message(event, presentPayment(happening.transfer))];
    }
    case 'transfer-return':
      // Woovi names the event for a payout that comes back and does not describe it: like the return of a payment received.
      return happening.returns.map(({ returnId, amount, returnedAt }) => {
        const pix = { value: amount, time: returnedAt.toISOString(), endToEndId: returnId };
        const { payment } = presentPayment(happening.transfer);
        return message('PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED', { payment, pix, company, account });
      });
    case 'dispute': {
      const { dispute } = happening;
      const shown = presentDispute(dispute);
      const status = dispute.status === 'OPEN' ? { status: 'OPENED' } : {};
      return [message(disputeEvents[dispute.status], { dispute: { ...shown, ...status } })];
    }
  }
}

function message(topic: string, content: object): Message {
  return { topic, body: { event: topic, ...content } };
}

function paymentMessages({ payment, charge: record, at }: Extract<Happening, { happening: 'payment' }>): Message[] {
  const charge = presentCharge({ ...record, status: 'COMPLETED' }, at);
  const { transactionID } = record.details as unknown as WooviChargeDetails;
  const pix = {
    charge,
    payer: presentPayer(payment.payer),
    time: payment.paidAt.toISOString(),
    value: payment.amount,
    endToEndId: payment.e2eId,
    transactionID,
    infoPagador: '',
  };
  const content = { charge, pix, pixQrCode: null, company, account };
  return [message('OPENPIX:CHARGE_COMPLETED', content), message('OPENPIX:TRANSACTION_RECEIVED', content)];
}

async function refundMessages(
  tx: Tx,
  { refund, payment, charge: record, at }: Extract<Happening, { happening: 'refund' }>,
): Promise<Message[]> {
  const charge = presentCharge(record, at);
  const pix = {
    charge,
    value: refund.amount,
    time: at.toISOString(),
    endToEndId: refund.returnId,
    partial: refund.amount < payment.amount,
  };
  const refunds = (await refundsOf(tx, payment.id)).map(presentRefund);
  return [message('OPENPIX:TRANSACTION_REFUND_RECEIVED', { charge, pixQrCode: null, pix, company, account, refunds })];
}
