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
  cnv: {
    list: '/conversions',
    Show: lazyPage(async () => (await import('#src/conversions/show-conversion.tsx')).ShowConversion),
  },
  dlq: {
    list: '/dead-letters',
    Show: lazyPage(async () => (await import('#src/letters/show-letter.tsx')).ShowLetter),
  },
  // A receipt is named as what goes back of it is.
  'receipt.rfd': {
    list: '/orphan-receipts',
    Show: lazyPage(async () => (await import('#src/receipts/show-receipt.tsx')).ShowReceipt),
  },
  med: {
    list: '/disputes',
    Show: lazyPage(async () => (await import('#src/disputes/show-dispute.tsx')).ShowDispute),
  },
});
