import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { ApprovalFilters } from '#src/approvals/approval-filters.tsx';
import { ListApprovals, type ApprovalsQuery } from '#src/approvals/list-approvals.tsx';
import { ShowApproval } from '#src/approvals/show-approval.tsx';
import { ListDeposits, type DepositsQuery } from '#src/deposits/list-deposits.tsx';
import { ShowDeposit } from '#src/deposits/show-deposit.tsx';
import { ListDisputes, type DisputesQuery } from '#src/disputes/list-disputes.tsx';
import { ShowDispute } from '#src/disputes/show-dispute.tsx';
import { ListExceptions, type ExceptionsQuery } from '#src/exceptions/list-exceptions.tsx';
import { ShowException } from '#src/exceptions/show-exception.tsx';
import {
  approvalFilters,
  depositFilters,
  disputeFilters,
  exceptionFilters,
  payoutFilters,
  refundFilters,
} from '#src/operators/addresses.ts';
import { Overview } from '#src/operators/overview.tsx';
import { Shell } from '#src/operators/shell.tsx';
import { ListPayouts, type PayoutsQuery } from '#src/payouts/list-payouts.tsx';
import { ShowPayout } from '#src/payouts/show-payout.tsx';
import { ListRefunds, type RefundsQuery } from '#src/refunds/list-refunds.tsx';
import { ShowRefund } from '#src/refunds/show-refund.tsx';
import { FindRecords } from '#src/search/find-records.tsx';
import { MySignIn } from '#src/session/my-sign-in.tsx';

const root = createRootRoute({ component: Shell });
const getParentRoute = () => root;

const overview = createRoute({ getParentRoute, path: '/', component: Overview });

const search = createRoute({
  getParentRoute,
  path: '/search',
  validateSearch: ({ q }): { q: string } => ({ q: typeof q === 'string' || typeof q === 'number' ? String(q) : '' }),
  component: function Search() {
    return <FindRecords q={search.useSearch().q} />;
  },
});

const deposits = createRoute({
  getParentRoute,
  path: '/deposits',
  validateSearch: (given): DepositsQuery => depositFilters(given),
  component: function Deposits() {
    return <ListDeposits query={deposits.useSearch()} />;
  },
});

const deposit = createRoute({
  getParentRoute,
  path: '/deposits/$id',
  component: function Deposit() {
    const { id } = deposit.useParams();
    return <ShowDeposit key={id} id={id} />;
  },
});

const payouts = createRoute({
  getParentRoute,
  path: '/payouts',
  validateSearch: (given): PayoutsQuery => payoutFilters(given),
  component: function Payouts() {
    return <ListPayouts query={payouts.useSearch()} />;
  },
});

const payout = createRoute({
  getParentRoute,
  path: '/payouts/$id',
  component: function Payout() {
    const { id } = payout.useParams();
    return <ShowPayout key={id} id={id} />;
  },
});

const refunds = createRoute({
  getParentRoute,
  path: '/refunds',
  validateSearch: (given): RefundsQuery => refundFilters(given),
  component: function Refunds() {
    return <ListRefunds query={refunds.useSearch()} />;
  },
});

const refund = createRoute({
  getParentRoute,
  path: '/refunds/$id',
  component: function Refund() {
    const { id } = refund.useParams();
    return <ShowRefund key={id} id={id} />;
  },
});

const disputes = createRoute({
  getParentRoute,
  path: '/disputes',
  validateSearch: (given): DisputesQuery => disputeFilters(given),
  component: function Disputes() {
    return <ListDisputes query={disputes.useSearch()} />;
  },
});

const dispute = createRoute({
  getParentRoute,
  path: '/disputes/$id',
  component: function Dispute() {
    const { id } = dispute.useParams();
    return <ShowDispute key={id} id={id} />;
  },
});

const exceptions = createRoute({
  getParentRoute,
  path: '/exceptions',
  validateSearch: (given): ExceptionsQuery => exceptionFilters(given),
  component: function Exceptions() {
    return <ListExceptions query={exceptions.useSearch()} />;
  },
});

const exception = createRoute({
  getParentRoute,
  path: '/exceptions/$id',
  component: function Exception() {
    const { id } = exception.useParams();
    return <ShowException key={id} id={id} />;
  },
});

const mySignIn = createRoute({ getParentRoute, path: '/me', component: MySignIn });

const approvals = createRoute({
  getParentRoute,
  path: '/approvals',
  validateSearch: (given): ApprovalsQuery => approvalFilters(given),
  component: function Approvals() {
    const query = approvals.useSearch();
    return (
      <>
        <ApprovalFilters query={query} />
        <ListApprovals query={query} />
      </>
    );
  },
});

const approval = createRoute({
  getParentRoute,
  path: '/approvals/$id',
  component: function Approval() {
    const { id } = approval.useParams();
    return <ShowApproval key={id} id={id} />;
  },
});

/** Every page of the operators' console. */
export const router = createRouter({
  routeTree: root.addChildren([
    ...[overview, search, mySignIn],
    ...[deposits, deposit, payouts, payout, refunds, refund, disputes, dispute],
    ...[exceptions, exception, approvals, approval],
  ]),
});
