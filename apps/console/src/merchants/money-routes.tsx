import { createRoute } from '@tanstack/react-router';
import {
  ownDisputeFilters,
  type OwnDisputesQuery,
  ownPayoutFilters,
  type OwnPayoutsQuery,
  paymentFilters,
  type PaymentsQuery,
  statementFilters,
  type StatementQuery,
} from '#src/merchants/addresses.ts';
import { Home } from '#src/merchants/home/home.tsx';
import { getParentRoute } from '#src/merchants/root-route.tsx';
import { lazyPage } from '#src/records/lazy-page.ts';
import { type Period, periodIn } from '#src/volumes/totals.ts';

const ShowBranding = lazyPage(async () => (await import('#src/merchants/branding/show-branding.tsx')).ShowBranding);
const Convert = lazyPage(async () => (await import('#src/merchants/convert/convert.tsx')).Convert);
const ListOwnDisputes = lazyPage(
  async () => (await import('#src/merchants/disputes/list-own-disputes.tsx')).ListOwnDisputes,
);
const ShowOwnDispute = lazyPage(
  async () => (await import('#src/merchants/disputes/show-own-dispute.tsx')).ShowOwnDispute,
);
const ListPayments = lazyPage(async () => (await import('#src/merchants/payments/list-payments.tsx')).ListPayments);
const ShowPayment = lazyPage(async () => (await import('#src/merchants/payments/show-payment.tsx')).ShowPayment);
const ShowOwnRefund = lazyPage(async () => (await import('#src/merchants/payments/show-own-refund.tsx')).ShowOwnRefund);
const ListOwnPayouts = lazyPage(
  async () => (await import('#src/merchants/payouts/list-own-payouts.tsx')).ListOwnPayouts,
);
const ProposeBatch = lazyPage(async () => (await import('#src/merchants/payouts/propose-batch.tsx')).ProposeBatch);
const ShowOwnPayout = lazyPage(async () => (await import('#src/merchants/payouts/show-own-payout.tsx')).ShowOwnPayout);
const FindRecords = lazyPage(async () => (await import('#src/merchants/search/find-records.tsx')).FindRecords);
const Statement = lazyPage(async () => (await import('#src/merchants/statement/statement.tsx')).Statement);
const MySignIn = lazyPage(async () => (await import('#src/session/my-sign-in.tsx')).MySignIn);

export const home = createRoute({
  getParentRoute,
  path: '/',
  validateSearch: ({ period }): { period?: Period } => (period === undefined ? {} : { period: periodIn(period) }),
  component: function HomePage() {
    return <Home period={periodIn(home.useSearch().period)} />;
  },
});

export const mySignIn = createRoute({ getParentRoute, path: '/me', component: MySignIn });

export const search = createRoute({
  getParentRoute,
  path: '/search',
  validateSearch: ({ q }): { q: string } => ({ q: typeof q === 'string' || typeof q === 'number' ? String(q) : '' }),
  component: function Search() {
    const { q } = search.useSearch();
    return <FindRecords key={q} q={q} />;
  },
});

export const payments = createRoute({
  getParentRoute,
  path: '/payments',
  validateSearch: (given): PaymentsQuery => paymentFilters(given),
  component: function Payments() {
    return <ListPayments query={payments.useSearch()} />;
  },
});

export const branding = createRoute({ getParentRoute, path: '/branding', component: ShowBranding });

export const payment = createRoute({
  getParentRoute,
  path: '/payments/$id',
  component: function Payment() {
    const { id } = payment.useParams();
    return <ShowPayment key={id} id={id} />;
  },
});

export const refund = createRoute({
  getParentRoute,
  path: '/refunds/$id',
  component: function OneRefund() {
    const { id } = refund.useParams();
    return <ShowOwnRefund key={id} id={id} />;
  },
});

export const payouts = createRoute({
  getParentRoute,
  path: '/payouts',
  validateSearch: (given): OwnPayoutsQuery => ownPayoutFilters(given),
  component: function Payouts() {
    return <ListOwnPayouts query={payouts.useSearch()} />;
  },
});

export const payoutBatch = createRoute({ getParentRoute, path: '/payouts/file', component: ProposeBatch });

export const payout = createRoute({
  getParentRoute,
  path: '/payouts/$id',
  component: function Payout() {
    const { id } = payout.useParams();
    return <ShowOwnPayout key={id} id={id} />;
  },
});

export const convert = createRoute({ getParentRoute, path: '/convert', component: Convert });

export const statement = createRoute({
  getParentRoute,
  path: '/statement',
  validateSearch: (given): StatementQuery => statementFilters(given),
  component: function StatementPage() {
    return <Statement query={statement.useSearch()} />;
  },
});

export const disputes = createRoute({
  getParentRoute,
  path: '/disputes',
  validateSearch: (given): OwnDisputesQuery => ownDisputeFilters(given),
  component: function Disputes() {
    return <ListOwnDisputes query={disputes.useSearch()} />;
  },
});

export const dispute = createRoute({
  getParentRoute,
  path: '/disputes/$id',
  component: function Dispute() {
    const { id } = dispute.useParams();
    return <ShowOwnDispute key={id} id={id} />;
  },
});
