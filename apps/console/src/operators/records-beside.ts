import { besideByPrefix } from '#src/records/beside-by-prefix.tsx';
import { lazyPage } from '#src/records/lazy-page.ts';

/** Records that lists show beside themselves. */
export const recordBeside = besideByPrefix({
  dep: {
    list: '/deposits',
    Show: lazyPage(async () => (await import('#src/deposits/show-deposit.tsx')).ShowDeposit),
  },
  pyt: {
    list: '/payouts',
    Show: lazyPage(async () => (await import('#src/payouts/show-payout.tsx')).ShowPayout),
  },
  rfd: {
    list: '/refunds',
    Show: lazyPage(async () => (await import('#src/refunds/show-refund.tsx')).ShowRefund),
  },
  med: {
    list: '/disputes',
    Show: lazyPage(async () => (await import('#src/disputes/show-dispute.tsx')).ShowDispute),
  },
});
