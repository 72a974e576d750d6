import type { DisputeStatus } from '#src/account/dispute.ts';
import type { BankEvent, Message } from '#src/bank/bank-event.ts';
import { bankIspb, payerIspb } from '#src/bank/bank.ts';
import { presentNoticedDispute } from '#src/woovi/disputes.ts';
import { presentNoticedPayment } from '#src/woovi/payments.ts';
import { presentCharge, presentPayer, type WooviChargeDetails } from '#src/woovi/present-charge.ts';

const company = { id: '64cab82a485da23384a4e3af', name: 'PSP SIMULATOR', taxID: '11222333000181' };
const account = { clientId: 'simulator' };

/** Our own account as the notifications about returns show it. */
const ownAccount = {
  ...{ id: '64cab82a485da23384a4e3b0', name: 'Conta Simulada', status: 'OPEN' },
  ...{ code: bankIspb, branch: '0001', account: '00000000000000000221' },
};

/** By which name it is registered, and the one in its body: Woovi writes two prefixes. */
const disputeEvents = {
  OPEN: ['OPENPIX:DISPUTE_CREATED', 'OPENPIX:DISPUTE_CREATED'],
  UNDER_ANALYSIS: ['OPENPIX:DISPUTE_CREATED', 'OPENPIX:DISPUTE_CREATED'],
  ACCEPTED: ['OPENPIX:DISPUTE_ACCEPTED', 'woovi:DISPUTE_ACCEPTED'],
  REJECTED: ['OPENPIX:DISPUTE_REJECTED', 'woovi:DISPUTE_REJECTED'],
  CANCELED: ['OPENPIX:DISPUTE_CANCELED', 'woovi:DISPUTE_CANCELED'],
} as const satisfies Record<DisputeStatus, readonly [string, string]>;

/** What Woovi notifies of, as its published bodies show it: each event a message of its own. */
export function wooviMessages(event: BankEvent): Message[] {
  switch (event.kind) {
    case 'payment':
      return paymentMessages(event);
    case 'refund':
      return refundMessages(event);
    case 'charge-expired': {
      const charge = presentCharge(event.charge, event.at);
      return [message('OPENPIX:CHARGE_EXPIRED', { charge, company })];
    }
    case 'transfer': {
      const topic = event.transfer.status === 'PAID' ? 'OPENPIX:MOVEMENT_CONFIRMED' : 'OPENPIX:MOVEMENT_FAILED';
      return [message(topic, presentNoticedPayment(event.transfer))];
    }
    case 'transfer-return':
      return returnMessages(event);
    case 'dispute': {
      const [topic, name] = disputeEvents[event.dispute.status];
      return [{ topic, body: { event: name, dispute: presentNoticedDispute(event.dispute) } }];
    }
  }
}

function message(topic: string, content: object): Message {
  return { topic, body: { event: topic, ...content } };
}

function paymentMessages({ payment, charge: record, at }: Extract<BankEvent, { kind: 'payment' }>): Message[] {
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

const ourParty = {
  account: { branch: ownAccount.branch, account: ownAccount.account, accountType: 'TRAN' },
  psp: { id: bankIspb, name: 'PSP SIMULATOR IP LTDA.' },
  holder: { taxID: { taxID: company.taxID, type: 'BR:CNPJ' } },
};
const theirParty = {
  account: { branch: '001', account: '73519', accountType: 'TRAN' },
  psp: { id: payerIspb, name: 'BANCO SIMULADO' },
  holder: { name: 'FULANO DE TAL', taxID: { taxID: '12345678909', type: 'BR:CPF' } },
};

/** A payment received that we sent back, or were refused to. */
function refundMessages(refunded: Extract<BankEvent, { kind: 'refund' }>): Message[] {
  const { refund, payment, charge: record, at } = refunded;
  const { amount: value, returnId: endToEndId } = refund;
  const partial = value < payment.amount;
  const time = at.toISOString();
  const failed = refund.status === 'FAILED';
  const event = failed ? 'PIX_TRANSACTION_REFUND_SENT_REJECTED' : 'PIX_TRANSACTION_REFUND_SENT_CONFIRMED';
  const sent = message(event, {
    refundTransaction: {
      ...{ value, time, endToEndId, status: failed ? 'REJECTED' : 'CONFIRMED', type: 'REFUND' },
      ...{ debitParty: ourParty, creditParty: theirParty, createdAt: time, partial },
    },
    originalTransaction: {
      payer: presentPayer(payment.payer),
      ...{ value: payment.amount, time: payment.paidAt.toISOString(), endToEndId: payment.e2eId },
      ...{ status: 'CONFIRMED', type: 'PAYMENT', debitParty: theirParty, creditParty: ourParty },
      createdAt: payment.paidAt.toISOString(),
    },
    company,
    account: ownAccount,
    ...(failed ? { error: 'AM04 - Saldo insuficiente na conta do pagador' } : {}),
  });
  if (failed) return [sent];
  const charge = presentCharge(record, at);
  const pix = { charge, value, time, endToEndId, createdAt: time, partial };
  const content = { charge, pixQrCode: null, pix, company, account, refunds: [] };
  return [sent, message('OPENPIX:TRANSACTION_REFUND_RECEIVED', content)];
}

/** A payment sent that came back. */
function returnMessages(event: Extract<BankEvent, { kind: 'transfer' | 'transfer-return' }>): Message[] {
  const { transfer } = event;
  const paidAt = (transfer.settledAt ?? transfer.requestedAt).toISOString();
  return event.returns.map(({ returnId: endToEndId, amount: value, returnedAt }) => {
    const time = returnedAt.toISOString();
    return message('PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED', {
      refundTransaction: {
        ...{ value, time, endToEndId, status: 'CONFIRMED', type: 'REFUND' },
        ...{ debitParty: theirParty, creditParty: ourParty, createdAt: time, partial: value < transfer.amount },
      },
      originalTransaction: {
        ...{ value: transfer.amount, time: paidAt, endToEndId: transfer.e2eId, status: 'CONFIRMED', type: 'WITHDRAW' },
        ...{ debitParty: ourParty, creditParty: theirParty, createdAt: paidAt },
      },
      company,
      account: ownAccount,
    });
  });
}
