import type { WrittenHeader, WrittenMovement } from '#src/write/index.ts';

/** A day with a deposit, a payout and its fee, a refund and a block: from 1000.00 to 992.50. */
export const header: WrittenHeader = {
  id: 'exp_01kb0000000000000000000001',
  number: 325,
  createdAtMs: Date.parse('2026-11-21T03:00:00Z'),
  account: { id: 'acc_01kb0000000000000000000001', name: 'EMPRESA TESTE LTDA', document: '12345678000195' },
  currency: 'BRL',
  period: {
    fromMs: Date.parse('2026-11-20T03:00:00Z'),
    toMs: Date.parse('2026-11-21T03:00:00Z'),
    zone: 'America/Sao_Paulo',
  },
  opening: 100_000,
  closing: 99_250,
};

interface Facts {
  readonly type: WrittenMovement['type'];
  readonly time: string;
  readonly record: string;
  readonly externalId: string;
  readonly e2eId: string;
  readonly gross: number;
  readonly fee: number;
  readonly balanceAfter: number;
}

const deposit = 'E12345678202611201200abcdef00001';
const payout = {
  time: '13:10:02.004',
  record: 'pyt',
  externalId: 'saque-77',
  e2eId: 'E09089356202611201310api00000001',
};
const facts: readonly Facts[] = [
  // prettier-ignore
  { type: 'DEPOSIT_NET', time: '12:00:05.120', record: 'dep', externalId: 'order-1001', e2eId: deposit, gross: 10_000, fee: 150, balanceAfter: 109_850 },
  { ...payout, type: 'PAYOUT', gross: -5_000, fee: 0, balanceAfter: 104_850 },
  { ...payout, type: 'PAYOUT_FEE', gross: 0, fee: 100, balanceAfter: 104_750 },
  // prettier-ignore
  { type: 'DEPOSIT_REFUND', time: '15:00:41.500', record: 'rfd', externalId: 'refund-9', e2eId: 'D12345678202611201500abcdef00001', gross: -2_500, fee: 0, balanceAfter: 102_250 },
  // prettier-ignore
  { type: 'MED_BLOCK', time: '18:30:00.000', record: 'med', externalId: 'order-1001', e2eId: deposit, gross: -3_000, fee: 0, balanceAfter: 99_250 },
];

export const movements: readonly WrittenMovement[] = facts.map((fact, place) => ({
  entryId: `led_01kb000000000000000000000${place + 1}`,
  bookedAtMs: Date.parse(`2026-11-20T${fact.time}Z`),
  type: fact.type,
  recordId: `${fact.record}_01kb0000000000000000000001`,
  externalId: fact.externalId,
  e2eId: fact.e2eId,
  gross: fact.gross,
  fee: fact.fee,
  net: fact.gross - fact.fee,
  balanceAfter: fact.balanceAfter,
  counterparty: null,
}));
