import fc from 'fast-check';
import type { LedgerCommand } from '@gateway/contracts/ledger';

/**
 * The life of one deposit, in order: credited, refunded in part, its money spent, disputed for more than is left, and
 * then some of what can follow. Commands drawn independently of each other hardly ever meet like this. Other commands
 * come in between, and use the same accounts and records.
 */
export function depositStory(ids: {
  readonly id: (prefix: string, number: number) => string;
  readonly clockSec: number;
}): fc.Arbitrary<LedgerCommand[]> {
  const tenths = fc.integer({ min: 1, max: 10 });
  const facts = fc.record({
    account: fc.integer({ min: 3, max: 4 }),
    record: fc.integer({ min: 5, max: 8 }),
    amount: fc.integer({ min: 20, max: 50 }).map((tens) => tens * 10),
    fee: fc.constantFrom(0, 1, 10),
    isRetained: fc.boolean(),
    refundTenths: tenths,
    keptTenths: fc.integer({ min: 0, max: 4 }),
    disputeTenths: fc.integer({ min: 4, max: 10 }),
    captureUntil: fc.constantFrom(ids.clockSec + 5, ids.clockSec + 10_000),
    laterAmount: fc.integer({ min: 1, max: 60 }).map((tens) => tens * 10),
    returnTenths: fc.option(tenths),
    endings: fc.shuffledSubarray([...endings]),
  });
  return facts.map((drawn) => commandsOf(drawn, ids.id, ids.clockSec));
}

/** What can follow a dispute, each a step or two; drawn in any order, so that many are refused. */
const endings = [
  ['later credit'],
  ['reverse refund', 'extend dispute'],
  ['reverse refund', 'redebit refund', 'reverse refund again'],
  ['return dispute', 'later credit'],
  ['return dispute', 'overturn dispute'],
  ['release dispute'],
  ['lapse dispute', 'later credit'],
  ['reverse payout', 'redebit payout'],
  ['settle payout', 'return payout'],
] as const;

interface Drawn {
  readonly account: number;
  readonly record: number;
  readonly amount: number;
  readonly fee: number;
  readonly isRetained: boolean;
  readonly refundTenths: number;
  readonly keptTenths: number;
  readonly disputeTenths: number;
  readonly captureUntil: number;
  readonly laterAmount: number;
  readonly returnTenths: number | null;
  readonly endings: readonly (readonly Step[])[];
}
type Step = (typeof endings)[number][number];

function commandsOf(drawn: Drawn, id: (prefix: string, number: number) => string, clockSec: number): LedgerCommand[] {
  const { amount, fee, record, isRetained } = drawn;
  const common = { environment: 'test', accountId: id('acc', drawn.account), currency: 'BRL' } as const;
  const [depositId, laterId, refundId] = [id('dep', record), id('dep', record + 10), id('rfd', record)];
  const [payoutId, disputeId] = [id('pyt', record), id('med', record)];
  const provider = 'sandbox';
  const refunded = Math.max(1, Math.floor((amount * drawn.refundTenths) / 20));
  const spent = Math.max(1, Math.floor(((amount - fee - refunded) * (10 - drawn.keptTenths)) / 10));
  const refund = { depositId, refundId, provider, amount: refunded };
  const dispute = { ...common, id: `block-dispute:${disputeId}:story`, disputeId };
  const payout = { ...common, payoutId, amount: spent };
  const credit = { ...common, provider, fee: 0, releaseAt: null } as const;
  const returned = drawn.returnTenths === null ? {} : { amount: Math.ceil((amount * drawn.returnTenths) / 10) };

  const steps: Readonly<Record<Step, LedgerCommand>> = {
    'later credit': {
      ...credit,
      kind: 'credit-deposit',
      id: `credit-deposit:${laterId}:story`,
      depositId: laterId,
      amount: drawn.laterAmount,
    },
    'reverse refund': { ...common, ...refund, kind: 'reverse-refund', id: `reverse-refund:${refundId}:story` },
    'reverse refund again': { ...common, ...refund, kind: 'reverse-refund', id: `reverse-refund:${refundId}:again` },
    'redebit refund': { ...common, ...refund, kind: 'redebit-refund', id: `redebit-refund:${refundId}:story` },
    'extend dispute': { ...dispute, kind: 'extend-dispute', id: `extend-dispute:${disputeId}:story`, amount },
    'return dispute': {
      ...dispute,
      ...returned,
      kind: 'return-dispute',
      id: `return-dispute:${disputeId}:story`,
      provider,
    },
    'overturn dispute': { ...dispute, kind: 'overturn-dispute', id: `overturn-dispute:${disputeId}:story`, provider },
    'release dispute': { ...dispute, kind: 'release-dispute', id: `release-dispute:${disputeId}:story` },
    'lapse dispute': { ...dispute, kind: 'lapse-dispute', id: `lapse-dispute:${disputeId}:story` },
    'reverse payout': { ...payout, kind: 'reverse-payout', id: `reverse-payout:${payoutId}:story`, fee: 0 },
    'redebit payout': { ...payout, kind: 'redebit-payout', id: `redebit-payout:${payoutId}:story`, provider, fee: 0 },
    'settle payout': { ...payout, kind: 'settle-payout', id: `settle-payout:${payoutId}:story`, provider },
    'return payout': { ...payout, kind: 'return-payout', id: `return-payout:${payoutId}:story`, provider },
  };
  const released: LedgerCommand[] = isRetained
    ? [
        {
          ...common,
          kind: 'release-pending',
          id: `release-pending:${depositId}:story`,
          depositId,
          amount: amount - fee,
        },
      ]
    : [];
  return [
    {
      ...credit,
      kind: 'credit-deposit',
      id: `credit-deposit:${depositId}:story`,
      depositId,
      amount,
      fee,
      releaseAt: isRetained ? clockSec + 50 : null,
    },
    ...released,
    { ...common, ...refund, kind: 'refund-deposit', id: `refund-deposit:${refundId}:story`, depositAmount: amount },
    { ...payout, kind: 'debit-payout', id: `debit-payout:${payoutId}:story`, fee: 0 },
    {
      ...dispute,
      kind: 'block-dispute',
      depositId,
      amount: Math.floor((amount * drawn.disputeTenths) / 10),
      captureUntil: drawn.captureUntil,
    },
    ...drawn.endings.flat().map((step) => steps[step]),
  ];
}
