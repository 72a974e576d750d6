import type { Facts } from './description.ts';
import { chargeMembers, parties, person } from './woovi-parts.ts';

/* What the bodies of notifications have that Woovi shows on its pages, by their event; none of them has a schema. */

const company: Facts = { id: 'text', name: 'text', nameFriendly: 'text', taxID: 'text', correlationID: 'text' };
const account: Facts = { clientId: 'text', environment: 'text' };
const ownAccount: Facts = { id: 'text', name: 'text', status: 'text', code: 'text', branch: 'text', account: 'text' };

const charge: Facts = {
  ...chargeMembers,
  ...{ payer: person, fee: 'number', discount: 'number', valueWithDiscount: 'number', giftbackAppliedValue: 'number' },
  ...{ ensureSameTaxID: 'boolean', 'customer?': person },
};
const moved = {
  ...{ value: 'number', time: 'text', endToEndId: 'text', status: 'text', type: 'text', createdAt: 'text' },
  ...{ infoPagador: 'text', globalID: 'text', partial: 'boolean' },
} as const;
const pix: Facts = {
  ...{ ...moved, ...parties, charge, payer: person, 'customer?': person },
  ...{ transactionID: 'text', pixKey: 'text', fee: 'number' },
};
const onCharge = { 'event!': 'text', 'charge?': charge, pix, 'pixQrCode?': {}, company, account } as const;

const noticedPayment = {
  ...{ value: 'number', status: 'text', destinationAlias: 'text', comment: 'text', correlationID: 'text' },
} as const;
const sent = { value: 'number', endToEndId: 'text', time: 'text' } as const;

const returned: Facts = {
  'event!': 'text',
  refundTransaction: { ...moved, ...parties },
  originalTransaction: { ...moved, ...parties, payer: person },
  ...{ company, account: ownAccount, error: 'text' },
};

const dispute: Facts = {
  'event!': 'text',
  dispute: {
    ...{ status: '=OPENED|ACCEPTED|REJECTED|CANCELED', endToEndId: 'text', value: 'number', disputeReason: 'text' },
    ...{ name: 'text', email: 'text', phoneNumber: 'text', id: 'text' },
  },
};

/** Registered as the former; the published bodies have the latter. */
const disputeEvents = ['OPENPIX', 'woovi'].flatMap((prefix) =>
  ['CREATED', 'ACCEPTED', 'REJECTED', 'CANCELED'].map((end) => `${prefix}:DISPUTE_${end}`),
);

export const wooviNotifications: Readonly<Record<string, Facts>> = {
  'OPENPIX:CHARGE_COMPLETED': { ...onCharge, payer: person },
  'OPENPIX:TRANSACTION_RECEIVED': { ...onCharge, refunds: [{}] },
  'OPENPIX:CHARGE_EXPIRED': { 'event!': 'text', charge, company, account },
  'OPENPIX:TRANSACTION_REFUND_RECEIVED': { ...onCharge, refunds: [{}] },
  'OPENPIX:MOVEMENT_CONFIRMED': { 'event!': 'text', payment: noticedPayment, transaction: sent },
  'OPENPIX:MOVEMENT_FAILED': {
    ...{ 'event!': 'text', payment: noticedPayment },
    transaction: { ...sent, providerErrorCode: 'text', providerRejectedReason: 'text' },
    error: { code: 'text', description: 'text' },
  },
  PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED: returned,
  PIX_TRANSACTION_REFUND_SENT_CONFIRMED: returned,
  PIX_TRANSACTION_REFUND_SENT_REJECTED: returned,
  ...Object.fromEntries(disputeEvents.map((event) => [event, dispute])),
};
