import { besideByPrefix } from '#src/records/beside-by-prefix.tsx';
import { lazyPage } from '#src/records/lazy-page.ts';

/** Records that lists show beside themselves. */
export const recordBeside = besideByPrefix({
  dep: {
    list: '/payments',
    Show: lazyPage(async () => (await import('#src/merchants/payments/show-payment.tsx')).ShowPayment),
  },
  pyt: {
    list: '/payouts',
    Show: lazyPage(async () => (await import('#src/merchants/payouts/show-own-payout.tsx')).ShowOwnPayout),
  },
  med: {
    list: '/disputes',
    Show: lazyPage(async () => (await import('#src/merchants/disputes/show-own-dispute.tsx')).ShowOwnDispute),
  },
});
