import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { ApprovalFilters } from '#src/approvals/approval-filters.tsx';
import { ListApprovals, type ApprovalsQuery } from '#src/approvals/list-approvals.tsx';
import { ShowApproval } from '#src/approvals/show-approval.tsx';
import { approvalFilters, payoutFilters } from '#src/operators/addresses.ts';
import { Overview } from '#src/operators/overview.tsx';
import { Shell } from '#src/operators/shell.tsx';
import { ListPayouts, type PayoutsQuery } from '#src/payouts/list-payouts.tsx';
import { PayoutFilters } from '#src/payouts/payout-filters.tsx';
import { ShowPayout } from '#src/payouts/show-payout.tsx';
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

const payouts = createRoute({
  getParentRoute,
  path: '/payouts',
  validateSearch: (given): PayoutsQuery => payoutFilters(given),
  component: function Payouts() {
    const query = payouts.useSearch();
    return (
      <>
        <PayoutFilters query={query} />
        <ListPayouts query={query} />
      </>
    );
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
  routeTree: root.addChildren([overview, search, payouts, payout, approvals, approval, mySignIn]),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
