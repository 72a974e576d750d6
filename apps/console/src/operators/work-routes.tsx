import { createRoute } from '@tanstack/react-router';
import type { ApprovalsQuery } from '#src/approvals/list-approvals.tsx';
import type { ExceptionsQuery } from '#src/exceptions/list-exceptions.tsx';
import { approvalFilters, exceptionFilters, overviewFilters } from '#src/operators/addresses.ts';
import { type Shift, shiftOf } from '#src/operators/describe-handover.ts';
import { lazyPage } from '#src/records/lazy-page.ts';
import { Overview, type OverviewQuery } from '#src/operators/overview.tsx';
import { getParentRoute } from '#src/operators/root-route.tsx';
import { FindRecords } from '#src/search/find-records.tsx';
import { MySignIn } from '#src/session/my-sign-in.tsx';

const ApprovalFilters = lazyPage(async () => (await import('#src/approvals/approval-filters.tsx')).ApprovalFilters);
const ListApprovals = lazyPage(async () => (await import('#src/approvals/list-approvals.tsx')).ListApprovals);
const ShowApproval = lazyPage(async () => (await import('#src/approvals/show-approval.tsx')).ShowApproval);
const ListExceptions = lazyPage(async () => (await import('#src/exceptions/list-exceptions.tsx')).ListExceptions);
const ShowException = lazyPage(async () => (await import('#src/exceptions/show-exception.tsx')).ShowException);
const Handover = lazyPage(async () => (await import('#src/operators/handover.tsx')).Handover);
const ListStuck = lazyPage(async () => (await import('#src/stuck/list-stuck.tsx')).ListStuck);

export const overview = createRoute({
  getParentRoute,
  path: '/',
  validateSearch: (given): OverviewQuery => overviewFilters(given),
  component: function OverviewPage() {
    return <Overview query={overview.useSearch()} />;
  },
});

export const handover = createRoute({
  getParentRoute,
  path: '/handover',
  validateSearch: ({ hours }): { hours: Shift } => ({ hours: shiftOf(hours) }),
  component: function HandOver() {
    return <Handover hours={handover.useSearch().hours} />;
  },
});

export const mySignIn = createRoute({ getParentRoute, path: '/me', component: MySignIn });

export const search = createRoute({
  getParentRoute,
  path: '/search',
  validateSearch: ({ q }): { q: string } => ({ q: typeof q === 'string' || typeof q === 'number' ? String(q) : '' }),
  component: function Search() {
    return <FindRecords q={search.useSearch().q} />;
  },
});

export const stuck = createRoute({ getParentRoute, path: '/stuck', component: ListStuck });

export const approvals = createRoute({
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

export const approval = createRoute({
  getParentRoute,
  path: '/approvals/$id',
  component: function Approval() {
    const { id } = approval.useParams();
    return <ShowApproval key={id} id={id} />;
  },
});

export const exceptions = createRoute({
  getParentRoute,
  path: '/exceptions',
  validateSearch: (given): ExceptionsQuery => exceptionFilters(given),
  component: function Exceptions() {
    return <ListExceptions query={exceptions.useSearch()} />;
  },
});

export const exception = createRoute({
  getParentRoute,
  path: '/exceptions/$id',
  component: function Exception() {
    const { id } = exception.useParams();
    return <ShowException key={id} id={id} />;
  },
});
