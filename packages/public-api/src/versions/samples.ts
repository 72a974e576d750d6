import type { Deposit, Dispute, Refund } from '@gateway/contracts/deposits';
import type { ApiVersion } from '@gateway/contracts/values';
import type { Payout } from '@gateway/contracts/payouts';
import type { WebhookEvent } from '@gateway/contracts/webhooks';
import { presenters } from '#src/presenters/presenters.ts';
import { begun, exported } from '#src/versions/sample-export.ts';

// Records in their states, as the services know them: each contract shows them by its own presenters, so an example of
// the API descriptions cannot differ from what is answered.

const accountId = 'acc_01k9z3m4v6t8x0a2c4e6g8jk01';

const pending: Deposit = {
  id: 'dep_01k9z3m4v6t8x0a2c4e6g8jk02',
  environment: 'live',
  accountId,
  externalId: 'order-1001',
  status: 'PENDING',
  currency: 'BRL',
  paymentMethod: 'PIX',
  amount: 1_990,
  fee: 50,
  net: 1_940,
  refunded: 0,
  received: 0,
  emv: '00020101021226800014br.gov.bcb.pix2558pix.sandbox.invalid/qr/v2/9d36b84fc70b478fb95c12729b90ca2552040000530398654041990',
  clabe: null,
  beneficiary: null,
  asked: null,
  redirectUrl: 'https://gateway.example/pay/dep_01k9z3m4v6t8x0a2c4e6g8jk02/token',
  qrUrl: 'https://gateway.example/v1/deposits/dep_01k9z3m4v6t8x0a2c4e6g8jk02/qr.svg?token=token',
  payer: { name: 'Maria Souza', email: null, phone: '+5511987654321', document: '12345678909' },
  payerDetails: null,
  e2eId: null,
  callbackUrl: null,
  returnUrl: 'https://shop.example/thanks',
  description: 'Order 1001',
  metadata: { cart: '77' },
  apiVersion: '0.1',
  createdAt: 1_767_348_000,
  expiresAt: 1_767_434_400,
  paidAt: null,
};

const paid: Deposit = {
  ...pending,
  status: 'PAID',
  received: 1_990,
  payerDetails: { name: 'Maria Souza', document: '***.456.789-**', bank: 'Banco Exemplo', ispb: '12345678' },
  e2eId: 'E12345678202601021004abcdef12345',
  paidAt: '2026-01-02T10:04:37.250Z',
};

const expired: Deposit = { ...pending, status: 'EXPIRED' };

const spei: Deposit = {
  ...pending,
  currency: 'MXN',
  paymentMethod: 'SPEI',
  amount: 125_050,
  fee: 500,
  net: 124_550,
  emv: null,
  qrUrl: null,
  clabe: '000000446571238716',
  beneficiary: 'Pasarela SA de CV',
  asked: 125_050,
  payer: null,
  apiVersion: '1.0',
};

const processing: Payout = {
  id: 'pyt_01k9z3m4v6t8x0a2c4e6g8jk03',
  environment: 'live',
  accountId,
  externalId: 'withdrawal-7',
  status: 'PROCESSING',
  currency: 'BRL',
  paymentMethod: 'PIX',
  amount: 12_500,
  fee: 50,
  returned: 0,
  key: 'maria@example.com',
  keyType: 'email',
  recipient: { name: 'Maria Souza', document: '12345678909', email: null, phone: null },
  kind: 'PLAYER_PAYOUT',
  e2eId: null,
  pendingReason: null,
  failureReason: null,
  failureMessage: null,
  metadata: {},
  apiVersion: '0.1',
  createdAt: 1_767_348_100,
  paidAt: null,
};

const rejected: Payout = {
  ...processing,
  status: 'REJECTED',
  failureReason: 'owner_mismatch',
  failureMessage: 'the key belongs to somebody else',
};

const sent: Payout = {
  ...processing,
  status: 'PAID',
  e2eId: 'E12345678202601021006abcdef12345',
  paidAt: '2026-01-02T10:06:37.250Z',
};

const refund: Refund = {
  id: 'rfd_01k9z3m4v6t8x0a2c4e6g8jk14',
  environment: 'live',
  accountId,
  depositId: pending.id,
  externalId: 'refund-1',
  status: 'DONE',
  currency: 'BRL',
  amount: 990,
  reason: 'item missing',
  returnId: 'D12345678202601031004abcdef12345',
  failureReason: null,
  failureMessage: null,
  createdAt: 1_767_434_000,
  finishedAt: '2026-01-03T10:04:37.250Z',
};

const returned = {
  payout: { ...sent, returned: 2_500 },
  return: {
    id: 'ret_01k9z3m4v6t8x0a2c4e6g8jk41',
    amount: 2_500,
    currency: 'BRL' as const,
    e2eId: 'D12345678202601031006abcdef12345',
    returnedAt: '2026-01-03T10:06:37.250Z',
  },
};

const dispute: Dispute = {
  id: 'med_01k9z3m4v6t8x0a2c4e6g8jk08',
  environment: 'live',
  accountId,
  depositId: pending.id,
  externalId: pending.externalId,
  e2eId: 'E12345678202601021004abcdef12345',
  currency: 'BRL',
  amount: 1_990,
  blocked: 1_990,
  returned: 0,
  reason: 'FRAUD',
  status: 'OPEN',
  openedAt: '2026-01-05T10:04:37.250Z',
  defenseDueAt: '2026-01-12T10:04:37.250Z',
  resolvedAt: null,
  evidence: [],
};

const resolvedAt = '2026-01-15T10:04:37.250Z';
const lost: Dispute = { ...dispute, status: 'LOST', blocked: 0, returned: 1_990, resolvedAt };

/** Examples of the records of a contract: by the name of the schema, and then by the state they are in. */
export const samples: Readonly<Record<ApiVersion, Readonly<Record<string, Readonly<Record<string, unknown>>>>>> = {
  '0.1': samplesOf('0.1'),
  '1.0': samplesOf('1.0'),
};

function samplesOf(version: ApiVersion) {
  const show = presenters[version];
  const blocked = [{ currency: 'BRL' as const, available: 194_000, pending: 1_940, blocked: 500 }];
  return {
    Deposit: {
      pending: show.deposit(pending),
      paid: show.deposit(paid),
      expired: show.deposit(expired),
      ...(version === '1.0' ? { spei: show.deposit(spei) } : {}),
    },
    Payout: {
      processing: show.payout(processing),
      paid: show.payout(sent),
      rejected: show.payout(rejected),
    },
    ReturnedPayout: { part: show.returnedPayout(returned) },
    Refund: {
      processing: show.refund({ ...refund, status: 'PROCESSING', returnId: null, finishedAt: null }),
      done: show.refund(refund),
    },
    Dispute: {
      open: show.dispute(dispute),
      lost: show.dispute(lost),
    },
    Export: {
      processing: show.export({ ...exported, ...begun, status: 'PROCESSING' }),
      completed: show.export(exported, `https://gateway.example/exports/${exported.id}/token`),
      failed: show.export({ ...exported, ...begun, status: 'FAILED', failure: 'does_not_add_up' }),
    },
    Balance: { reais: show.balance(blocked) },
  };
}

/** The record of an event as it is then, in a contract; the other events are of records without a sample. */
export const eventSamples: Readonly<Record<ApiVersion, Readonly<Partial<Record<WebhookEvent, object>>>>> = {
  '0.1': eventSamplesOf('0.1'),
  '1.0': eventSamplesOf('1.0'),
};

function eventSamplesOf(version: ApiVersion): Readonly<Partial<Record<WebhookEvent, object>>> {
  const show = presenters[version];
  return {
    'deposit.pending': show.deposit(pending),
    'deposit.partially_paid': show.deposit({ ...spei, received: 50_000 }),
    'deposit.paid': show.deposit(paid),
    'deposit.expired': show.deposit(expired),
    'deposit.canceled': show.deposit({ ...pending, status: 'FAILED' }),
    'deposit.refunded': show.deposit({ ...paid, status: 'REFUNDED', refunded: paid.amount }),
    'payout.pending': show.payout({ ...processing, status: 'PENDING', pendingReason: 'limit' }),
    'payout.processing': show.payout(processing),
    'payout.paid': show.payout(sent),
    'payout.failed': show.payout({
      ...processing,
      status: 'FAILED',
      failureReason: 'account_closed',
      failureMessage: 'the account is closed',
    }),
    'payout.canceled': show.payout(rejected),
    'payout.returned': show.returnedPayout(returned),
    'med.opened': show.dispute(dispute),
    'med.under_analysis': show.dispute({
      ...dispute,
      status: 'UNDER_ANALYSIS',
      evidence: [
        {
          text: 'Delivered on 3 January.',
          urls: [],
          files: [],
          status: 'SENT',
          sentAt: '2026-01-06T10:04:37.250Z',
          failureReason: null,
          failureMessage: null,
        },
      ],
    }),
    'med.won': show.dispute({ ...dispute, status: 'WON', blocked: 0, resolvedAt }),
    'med.lost': show.dispute(lost),
    'export.completed': show.export(exported),
    'refund.done': show.refund(refund),
    'refund.failed': show.refund({
      ...refund,
      status: 'FAILED',
      returnId: null,
      failureReason: 'account_closed',
      failureMessage: 'the account is closed',
    }),
  };
}
