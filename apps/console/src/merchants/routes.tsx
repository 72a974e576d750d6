import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import {
  auditFilters,
  type DeliveriesQuery,
  deliveryFilters,
  eventFilters,
  type EventsQuery,
  keyFilters,
  type OwnDisputesQuery,
  ownDisputeFilters,
  type OwnPayoutsQuery,
  ownPayoutFilters,
  type PaymentsQuery,
  paymentFilters,
  type RequestsQuery,
  requestFilters,
  type StatementQuery,
  statementFilters,
  teamApprovalFilters,
} from '#src/merchants/addresses.ts';
import { ListTeamApprovals } from '#src/merchants/approvals/list-team-approvals.tsx';
import { ShowTeamApproval } from '#src/merchants/approvals/show-team-approval.tsx';
import type { TeamApprovalsQuery } from '#src/merchants/approvals/team-approval.ts';
import { Convert } from '#src/merchants/convert/convert.tsx';
import type { KeysQuery } from '#src/merchants/developers/keys.ts';
import { ListKeys } from '#src/merchants/developers/list-keys.tsx';
import { ShowKey } from '#src/merchants/developers/show-key.tsx';
import { ListOwnDisputes } from '#src/merchants/disputes/list-own-disputes.tsx';
import { ShowOwnDispute } from '#src/merchants/disputes/show-own-dispute.tsx';
import { ListEvents } from '#src/merchants/events/list-events.tsx';
import { ShowEvent } from '#src/merchants/events/show-event.tsx';
import { Home } from '#src/merchants/home/home.tsx';
import { ListPayments } from '#src/merchants/payments/list-payments.tsx';
import { ShowPayment } from '#src/merchants/payments/show-payment.tsx';
import { ListOwnPayouts } from '#src/merchants/payouts/list-own-payouts.tsx';
import { ProposeBatch } from '#src/merchants/payouts/propose-batch.tsx';
import { ShowOwnPayout } from '#src/merchants/payouts/show-own-payout.tsx';
import { ListRequests } from '#src/merchants/requests/list-requests.tsx';
import { ShowRequest } from '#src/merchants/requests/show-request.tsx';
import { FindRecords } from '#src/merchants/search/find-records.tsx';
import { Shell } from '#src/merchants/shell.tsx';
import { Statement } from '#src/merchants/statement/statement.tsx';
import type { AuditQuery } from '#src/merchants/team/audit-entry.ts';
import { ShowPerson } from '#src/merchants/team/show-person.tsx';
import { ShowTeam } from '#src/merchants/team/show-team.tsx';
import { TeamAudit } from '#src/merchants/team/team-audit.tsx';
import { ListEndpoints } from '#src/merchants/webhooks/list-endpoints.tsx';
import { ShowDelivery } from '#src/merchants/webhooks/show-delivery.tsx';
import { ShowEndpoint } from '#src/merchants/webhooks/show-endpoint.tsx';
import { MySignIn } from '#src/session/my-sign-in.tsx';

const root = createRootRoute({ component: Shell });
const getParentRoute = () => root;

const home = createRoute({ getParentRoute, path: '/', component: Home });

const mySignIn = createRoute({ getParentRoute, path: '/me', component: MySignIn });

const search = createRoute({
  getParentRoute,
  path: '/search',
  validateSearch: ({ q }): { q: string } => ({ q: typeof q === 'string' || typeof q === 'number' ? String(q) : '' }),
  component: function Search() {
    const { q } = search.useSearch();
    return <FindRecords key={q} q={q} />;
  },
});

const payments = createRoute({
  getParentRoute,
  path: '/payments',
  validateSearch: (given): PaymentsQuery => paymentFilters(given),
  component: function Payments() {
    return <ListPayments query={payments.useSearch()} />;
  },
});

const payment = createRoute({
  getParentRoute,
  path: '/payments/$id',
  component: function Payment() {
    const { id } = payment.useParams();
    return <ShowPayment key={id} id={id} />;
  },
});

const payouts = createRoute({
  getParentRoute,
  path: '/payouts',
  validateSearch: (given): OwnPayoutsQuery => ownPayoutFilters(given),
  component: function Payouts() {
    return <ListOwnPayouts query={payouts.useSearch()} />;
  },
});

const payoutBatch = createRoute({ getParentRoute, path: '/payouts/file', component: ProposeBatch });

const payout = createRoute({
  getParentRoute,
  path: '/payouts/$id',
  component: function Payout() {
    const { id } = payout.useParams();
    return <ShowOwnPayout key={id} id={id} />;
  },
});

const convert = createRoute({ getParentRoute, path: '/convert', component: Convert });

const statement = createRoute({
  getParentRoute,
  path: '/statement',
  validateSearch: (given): StatementQuery => statementFilters(given),
  component: function StatementPage() {
    return <Statement query={statement.useSearch()} />;
  },
});

const disputes = createRoute({
  getParentRoute,
  path: '/disputes',
  validateSearch: (given): OwnDisputesQuery => ownDisputeFilters(given),
  component: function Disputes() {
    return <ListOwnDisputes query={disputes.useSearch()} />;
  },
});

const dispute = createRoute({
  getParentRoute,
  path: '/disputes/$id',
  component: function Dispute() {
    const { id } = dispute.useParams();
    return <ShowOwnDispute key={id} id={id} />;
  },
});

const webhooks = createRoute({ getParentRoute, path: '/webhooks', component: ListEndpoints });

const webhook = createRoute({
  getParentRoute,
  path: '/webhooks/$id',
  validateSearch: (given): DeliveriesQuery => deliveryFilters(given),
  component: function Webhook() {
    const { id } = webhook.useParams();
    return <ShowEndpoint key={id} id={id} query={webhook.useSearch()} />;
  },
});

const delivery = createRoute({
  getParentRoute,
  path: '/deliveries/$id',
  component: function Delivery() {
    const { id } = delivery.useParams();
    return <ShowDelivery key={id} id={id} />;
  },
});

const eventLog = createRoute({
  getParentRoute,
  path: '/events',
  validateSearch: (given): EventsQuery => eventFilters(given),
  component: function Events() {
    return <ListEvents query={eventLog.useSearch()} />;
  },
});

const event = createRoute({
  getParentRoute,
  path: '/events/$id',
  component: function OneEvent() {
    const { id } = event.useParams();
    return <ShowEvent key={id} id={id} />;
  },
});

const requestLog = createRoute({
  getParentRoute,
  path: '/requests',
  validateSearch: (given): RequestsQuery => requestFilters(given),
  component: function Requests() {
    return <ListRequests query={requestLog.useSearch()} />;
  },
});

const request = createRoute({
  getParentRoute,
  path: '/requests/$id',
  component: function OneRequest() {
    const { id } = request.useParams();
    return <ShowRequest key={id} id={id} />;
  },
});

const approvals = createRoute({
  getParentRoute,
  path: '/approvals',
  validateSearch: (given): TeamApprovalsQuery => teamApprovalFilters(given),
  component: function Approvals() {
    return <ListTeamApprovals query={approvals.useSearch()} />;
  },
});

const approval = createRoute({
  getParentRoute,
  path: '/approvals/$id',
  component: function Approval() {
    const { id } = approval.useParams();
    return <ShowTeamApproval key={id} id={id} />;
  },
});

const developers = createRoute({
  getParentRoute,
  path: '/developers',
  validateSearch: (given): KeysQuery => keyFilters(given),
  component: function Developers() {
    return <ListKeys query={developers.useSearch()} />;
  },
});

const key = createRoute({
  getParentRoute,
  path: '/developers/$id',
  component: function Key() {
    const { id } = key.useParams();
    return <ShowKey key={id} id={id} />;
  },
});

const team = createRoute({ getParentRoute, path: '/team', component: ShowTeam });

const teamAudit = createRoute({
  getParentRoute,
  path: '/team/audit',
  validateSearch: (given): AuditQuery => auditFilters(given),
  component: function Audit() {
    return <TeamAudit query={teamAudit.useSearch()} />;
  },
});

const person = createRoute({
  getParentRoute,
  path: '/team/$id',
  component: function Person() {
    const { id } = person.useParams();
    return <ShowPerson key={id} id={id} />;
  },
});

const routeTree = root.addChildren([
  ...[home, mySignIn, search, payments, payment, payouts, payoutBatch, payout],
  ...[statement, disputes, dispute, webhooks, webhook, delivery, approvals, approval],
  ...[eventLog, event, requestLog, request],
  ...[convert, developers, key, team, teamAudit, person],
]);

/**
 * Every page of the merchants' console.
 *
 * @param basepath the account and the environment that they are of
 */
export function routerBelow(basepath: string) {
  return createRouter({ routeTree, basepath });
}
