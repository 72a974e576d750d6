import { createRoute } from '@tanstack/react-router';
import type { DepositsQuery } from '#src/deposits/list-deposits.tsx';
import type { DisputesQuery } from '#src/disputes/list-disputes.tsx';
import { depositFilters, disputeFilters, payoutFilters, refundFilters } from '#src/operators/addresses.ts';
import { lazyPage } from '#src/records/lazy-page.ts';
import { getParentRoute } from '#src/operators/root-route.tsx';
import type { PayoutsQuery } from '#src/payouts/list-payouts.tsx';
import type { RefundsQuery } from '#src/refunds/list-refunds.tsx';

const ListDeposits = lazyPage(async () => (await import('#src/deposits/list-deposits.tsx')).ListDeposits);
const ShowDeposit = lazyPage(async () => (await import('#src/deposits/show-deposit.tsx')).ShowDeposit);
const ListPayouts = lazyPage(async () => (await import('#src/payouts/list-payouts.tsx')).ListPayouts);
const ShowPayout = lazyPage(async () => (await import('#src/payouts/show-payout.tsx')).ShowPayout);
const ListRefunds = lazyPage(async () => (await import('#src/refunds/list-refunds.tsx')).ListRefunds);
const ShowRefund = lazyPage(async () => (await import('#src/refunds/show-refund.tsx')).ShowRefund);
const ListDisputes = lazyPage(async () => (await import('#src/disputes/list-disputes.tsx')).ListDisputes);
const ShowDispute = lazyPage(async () => (await import('#src/disputes/show-dispute.tsx')).ShowDispute);

export const deposits = createRoute({
  getParentRoute,
  path: '/deposits',
  validateSearch: (given): DepositsQuery => depositFilters(given),
  component: function Deposits() {
    return <ListDeposits query={deposits.useSearch()} />;
  },
});

export const deposit = createRoute({
  getParentRoute,
  path: '/deposits/$id',
  component: function Deposit() {
    const { id } = deposit.useParams();
    return <ShowDeposit key={id} id={id} />;
  },
});

export const payouts = createRoute({
  getParentRoute,
  path: '/payouts',
  validateSearch: (given): PayoutsQuery => payoutFilters(given),
  component: function Payouts() {
    return <ListPayouts query={payouts.useSearch()} />;
  },
});

export const payout = createRoute({
  getParentRoute,
  path: '/payouts/$id',
  component: function Payout() {
    const { id } = payout.useParams();
    return <ShowPayout key={id} id={id} />;
  },
});

export const refunds = createRoute({
  getParentRoute,
  path: '/refunds',
  validateSearch: (given): RefundsQuery => refundFilters(given),
  component: function Refunds() {
    return <ListRefunds query={refunds.useSearch()} />;
  },
});

export const refund = createRoute({
  getParentRoute,
  path: '/refunds/$id',
  component: function Refund() {
    const { id } = refund.useParams();
    return <ShowRefund key={id} id={id} />;
  },
});

export const disputes = createRoute({
  getParentRoute,
  path: '/disputes',
  validateSearch: (given): DisputesQuery => disputeFilters(given),
  component: function Disputes() {
    return <ListDisputes query={disputes.useSearch()} />;
  },
});

export const dispute = createRoute({
  getParentRoute,
  path: '/disputes/$id',
  component: function Dispute() {
    const { id } = dispute.useParams();
    return <ShowDispute key={id} id={id} />;
  },
});
