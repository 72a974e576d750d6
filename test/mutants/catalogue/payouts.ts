import type { Mutant } from '../mutant.ts';

export const payouts: readonly Mutant[] = [
  {
    id: 'P04',
    file: 'services/payouts/src/provider-feed/apply-event.ts',
    replaced: 'if (payout.provider !== provider) await',
    by: 'if (payout.provider === null) await',
    test: 'services/payouts/test/handle-notification.test.ts',
    named: 'a signed notification of one provider about a payout that another one has changes nothing and asks nothing',
    guarantee: 'A provider reports about its own payouts alone.',
  },
  {
    id: 'P05',
    file: 'services/payouts/src/settlement/credit-returns.ts',
    replaced: 'amount: money.amount, credited: false',
    by: 'amount: payout.amount, credited: false',
    test: 'services/payouts/test/handle-notification.test.ts',
    named: 'of a return credits nothing before the provider answers the same',
    guarantee: 'A return is credited with the amount that the provider answers.',
  },
];
