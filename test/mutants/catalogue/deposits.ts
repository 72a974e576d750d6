import type { Mutant } from '../mutant.ts';

export const deposits: readonly Mutant[] = [
  {
    id: 'D01',
    file: 'services/deposits/src/payment/apply-receipt.ts',
    replaced: 'money.amount <= feeOfReceived',
    by: 'money.amount < feeOfReceived',
    test: 'services/deposits/test/received-payments.test.ts',
    named: 'of exactly its fee goes back, and one centavo more is credited',
    guarantee: 'A payment of exactly its fee goes back.',
  },
  {
    id: 'D07',
    file: 'services/deposits/src/payment/receive-payment.ts',
    replaced: 'deposit.retentionDays === 0',
    by: 'deposit.retentionDays <= 1',
    test: 'services/deposits/test/received-payments.test.ts',
    named: 'of an account that is paid a day later is pending for 86,400 seconds from the payment on',
    guarantee: 'Money of an account with a retention of one day is pending for a day.',
  },
  {
    id: 'D09',
    file: 'services/deposits/src/dispute/apply-dispute-event.ts',
    replaced: 'event.at <= known.verdictAt',
    by: 'event.at < known.verdictAt',
    test: 'services/deposits/test/dispute-interleavings.test.ts',
    named: 'is not lost again by a repetition of the first decision',
    guarantee: 'A dispute is opened again only by what is newer than its decision.',
  },
  {
    id: 'D10',
    file: 'services/deposits/src/dispute/ledger-steps.ts',
    replaced: '90 * 86_400',
    by: '30 * 86_400',
    test: 'services/deposits/test/dispute-interleavings.test.ts',
    named: 'take a shortfall from the credits of 90 days after the opening',
    guarantee: 'A shortfall is captured for 90 days.',
  },
  {
    id: 'D13',
    file: 'services/deposits/src/provider-feed/handle-notification.ts',
    replaced: "if (verdict.grade === 'ours')",
    by: "if (verdict.grade !== 'platform')",
    test: 'services/deposits/test/notifications.test.ts',
    named: 'what the platform signs for all its customers, or nobody signs',
    guarantee: 'A hinted dispute blocks nothing before our own question confirms it.',
  },
];
