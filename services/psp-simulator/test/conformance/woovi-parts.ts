import type { Facts } from './description.ts';

/* What Woovi's answers and notifications have in common. */

const taxId: Facts = { taxID: 'text', type: 'text' };

export const person: Facts = { name: 'text', email: 'text', phone: 'text', correlationID: 'text', taxID: taxId };

/** Members of a charge in answers; all of them optional. */
export const chargeMembers = {
  ...{ value: 'number', customer: person, type: '=DYNAMIC|OVERDUE|BOLETO', comment: 'text', brCode: 'text' },
  ...{ status: '=ACTIVE|COMPLETED|EXPIRED', correlationID: 'text', paymentLinkID: 'text', paymentLinkUrl: 'text' },
  ...{ globalID: 'text', transactionID: 'text', identifier: 'text', qrCodeImage: 'text', pixKey: 'text' },
  ...{ createdAt: 'text', updatedAt: 'text', expiresIn: 'text or number', expiresDate: 'text', dueDate: 'text' },
  additionalInfo: [{ key: 'text', value: 'text' }],
  paymentMethods: {
    pix: {
      ...{ method: 'text', transactionID: 'text', identifier: 'text', fee: 'number', value: 'number', status: 'text' },
      ...{ txId: 'text', brCode: 'text', qrCodeImage: 'text' },
      additionalInfo: [{ key: 'text', value: 'text' }],
    },
  },
} as const satisfies Facts;

export const charge: Facts = chargeMembers;

const party: Facts = {
  account: { branch: 'text', account: 'text', accountType: 'text' },
  psp: { id: 'text', name: 'text', code: 'text' },
  holder: { name: 'text', nameFriendly: 'text', taxID: taxId },
  ...{ taxID: taxId, pixKey: { pixKey: 'text', type: 'text' } },
};
export const parties = { debitParty: party, creditParty: party } as const;

const ownEvents = [
  ...['CHARGE_CREATED', 'CHARGE_COMPLETED', 'CHARGE_EXPIRED', 'CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER'],
  ...['TRANSACTION_RECEIVED', 'TRANSACTION_REFUND_RECEIVED'],
  ...['MOVEMENT_CONFIRMED', 'MOVEMENT_FAILED', 'MOVEMENT_REMOVED'],
  ...['DISPUTE_CREATED', 'DISPUTE_ACCEPTED', 'DISPUTE_REJECTED', 'DISPUTE_CANCELED'],
].map((event) => `OPENPIX:${event}`);
const returnEvents = ['RECEIVED_CONFIRMED', 'RECEIVED_REJECTED', 'SENT_CONFIRMED', 'SENT_REJECTED'].map(
  (event) => `PIX_TRANSACTION_REFUND_${event}`,
);

/** What a webhook can be registered for. */
export const webhookEvents = `=${[...ownEvents, ...returnEvents].join('|')}`;
