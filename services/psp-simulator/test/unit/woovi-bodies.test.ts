import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wooviProvider, wooviPublicKey, type ConnectedProvider } from '@gateway/providers';
import { signedNotification } from '../conformance/signed-notification.ts';

/*
 * Bodies with the members that Woovi shows on its pages, one for each page, with values of our own. Each is understood, or
 * ignored because it has no consequence here; none is unreadable.
 */

const config = {
  ...{ kind: 'woovi' as const, id: 'woovi', baseUrl: new URL('https://woovi.example.com'), appId: 'app' },
  ...{ callTimeoutMs: 1_000, ownerCheck: false, publicKeys: [wooviPublicKey], webhookSecrets: ['our-own-secret'] },
};

let provider: ConnectedProvider;
beforeAll(() => {
  provider = wooviProvider(config, { now: () => new Date('2026-01-02T10:00:00Z') });
});
afterAll(async () => provider[Symbol.asyncDispose]());

const time = '2026-01-02T09:00:00.000Z';
const company = { id: 'company', name: 'Loja', taxID: '11222333000181' };
const account = { clientId: 'client', environment: 'TESTING' };
const person = {
  ...{ name: 'Fulano de Tal', email: 'fulano@example.com', phone: '+5511999999999', correlationID: 'person' },
  taxID: { taxID: '12345678909', type: 'BR:CPF' },
};
const charge = (status: string) => ({
  ...{
    customer: person,
    value: 100,
    status,
    identifier: 'i',
    correlationID: 'ref',
    paymentLinkID: 'l',
    brCode: '0002',
  },
  ...{ transactionID: 'i', additionalInfo: [], discount: 0, valueWithDiscount: 100, type: 'DYNAMIC', expiresIn: 900 },
  ...{ createdAt: time, updatedAt: time, ensureSameTaxID: false, paymentLinkUrl: 'u', qrCodeImage: 'u', globalID: 'g' },
  paymentMethods: { pix: { method: 'PIX_COB', status: 'ACTIVE', brCode: '0002', qrCodeImage: 'u' } },
});
const e2eId = 'E12345678202601020900abcdefghijk';
const returnId = 'D12345678202601020930abcdefghijk';
const pix = { customer: person, payer: person, value: 100, time, endToEndId: e2eId, infoPagador: '', type: 'PAYMENT' };

const ourAccount = { branch: '0001', account: '221', accountType: 'TRAN' };
const our = { account: ourAccount, psp: { id: '99999010', name: 'IP' }, holder: { taxID: person.taxID } };
const their = { ...our, account: { ...ourAccount, account: '735' }, holder: { name: 'Outro', taxID: person.taxID } };
const own = { id: 'account', name: 'Conta', status: 'OPEN', code: '1', branch: '0001', account: '221' };

/** `type` is what the payment was at first, `sent` which way its money went back. */
const returned = (
  event: string,
  status: string,
  { type, sent }: { readonly type: string; readonly sent: boolean },
) => ({
  event,
  refundTransaction: {
    ...{
      value: 100,
      time,
      endToEndId: returnId,
      status,
      type: 'REFUND',
      createdAt: time,
      partial: false,
      globalID: 'g',
    },
    ...{ debitParty: sent ? our : their, creditParty: sent ? their : our },
  },
  originalTransaction: {
    ...{
      payer: person,
      value: 100,
      time,
      endToEndId: e2eId,
      status: 'CONFIRMED',
      type,
      createdAt: time,
      globalID: 'g',
    },
    ...{ debitParty: sent ? their : our, creditParty: sent ? our : their },
  },
  ...{ company, account: own },
  ...(status === 'REJECTED' ? { error: 'AC06 - conta bloqueada' } : {}),
});

const dispute = (event: string, status: string) => ({
  event,
  dispute: {
    ...{ status, endToEndId: e2eId, name: 'Fulano', email: 'f@example.com', phoneNumber: '+5511', value: 100 },
    disputeReason: 'Não reconheço',
  },
});
const register = (status: string, more: object = {}) => ({
  event: `ACCOUNT_REGISTER_${status}`,
  accountRegister: { officialName: 'Loja', taxID: { taxID: company.taxID, type: 'BR:CNPJ' }, status, ...more },
});
const documents = { requestDocuments: ['SOCIAL_CONTRACT'], requestReason: 'r', requestDocumentsRepresentatives: [] };
const payment = { value: 100, status: 'CONFIRMED', destinationAlias: 'a@b.c', comment: 'c', correlationID: 'ref' };
const transaction = { value: 100, endToEndId: e2eId, time };
const staticCode = { name: 'Caixa', value: 100, comment: '', identifier: 'i', correlationID: 'q', createdAt: time };

const bodies: readonly (readonly [string, object, string])[] = [
  ['a charge is made', { event: 'OPENPIX:CHARGE_CREATED', charge: charge('ACTIVE'), company, account }, 'ignored'],
  ['ends unpaid', { event: 'OPENPIX:CHARGE_EXPIRED', charge: charge('EXPIRED'), company, account }, 'charge.expired'],
  [
    'is paid by somebody else',
    {
      ...{ event: 'OPENPIX:CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER', charge: charge('COMPLETED'), payer: person },
      ...{ pix: { ...pix, charge: charge('COMPLETED') }, company, account },
    },
    'charge.paid',
  ],
  ['is paid, and is empty', { event: 'woovi:CHARGE_COMPLETED', charge: {}, pix: {}, company, account }, 'ignored'],
  [
    'money comes on no charge',
    { event: 'OPENPIX:TRANSACTION_RECEIVED', charge: null, pixQrCode: null, pix, company, account, refunds: [] },
    'ignored',
  ],
  ['money comes on a static code', { pixQrCode: staticCode, charge: null, pix, company, account }, 'ignored'],
  [
    'a payment went back',
    {
      ...{ event: 'OPENPIX:TRANSACTION_REFUND_RECEIVED', charge: { ...charge('COMPLETED'), customer: null } },
      ...{ pixQrCode: null, pix: { ...pix, endToEndId: returnId, customer: null, partial: false }, company, account },
      refunds: [],
    },
    'refund.done',
  ],
  ['a payout is paid', { event: 'OPENPIX:MOVEMENT_CONFIRMED', payment, transaction }, 'payout.paid'],
  [
    'a payout fails',
    {
      ...{ event: 'OPENPIX:MOVEMENT_FAILED', payment: { ...payment, status: 'FAILED' }, transaction },
      error: { code: 'PAY_PIX_KEY_ERROR', description: 'não' },
    },
    'payout.failed',
  ],
  ['a payout is removed', { event: 'OPENPIX:MOVEMENT_REMOVED', payment: { correlationID: 'ref' } }, 'payout.failed'],
  [
    'a refund is sent',
    returned('PIX_TRANSACTION_REFUND_SENT_CONFIRMED', 'CONFIRMED', { type: 'PAYMENT', sent: true }),
    'refund.done',
  ],
  [
    'a refund is not sent',
    returned('PIX_TRANSACTION_REFUND_SENT_REJECTED', 'REJECTED', { type: 'PAYMENT', sent: true }),
    'refund.failed',
  ],
  [
    'a payout comes back',
    returned('PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED', 'CONFIRMED', { type: 'WITHDRAW', sent: false }),
    'payout.returned',
  ],
  [
    'one is told as coming back that by its parties was sent',
    returned('PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED', 'CONFIRMED', { type: 'PAYMENT', sent: true }),
    'refund.done',
  ],
  [
    'a payout does not come back',
    returned('PIX_TRANSACTION_REFUND_RECEIVED_REJECTED', 'REJECTED', { type: 'WITHDRAW', sent: false }),
    'ignored',
  ],
  ['a dispute is opened', dispute('woovi:DISPUTE_CREATED', 'OPENED'), 'dispute.opened'],
  ['a dispute is lost', dispute('woovi:DISPUTE_ACCEPTED', 'ACCEPTED'), 'dispute.lost'],
  ['a dispute is won', dispute('woovi:DISPUTE_REJECTED', 'REJECTED'), 'dispute.won'],
  ['a dispute is withdrawn', dispute('woovi:DISPUTE_CANCELED', 'CANCELED'), 'dispute.won'],
  ['an account is approved', { ...register('APPROVED'), account: own }, 'ignored'],
  ['documents are wanted', register('PENDING', documents), 'ignored'],
  ['an account is rejected', register('REJECTED', { rejectedReason: 'r' }), 'ignored'],
];

describe('as Woovi notifies it,', () => {
  test.each(bodies)('%s', async (_name, body, type) => {
    const result = await provider.verifyAndParseNotification(signedNotification(config, body));
    expect(result).toMatchObject({ ok: true, grade: 'ours', events: [{ type }] });
  });
});
