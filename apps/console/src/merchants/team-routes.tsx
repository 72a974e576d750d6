import { createRoute } from '@tanstack/react-router';
import { auditFilters, teamApprovalFilters } from '#src/merchants/addresses.ts';
import type { TeamApprovalsQuery } from '#src/merchants/approvals/team-approval.ts';
import type { AuditQuery } from '#src/merchants/team/audit-entry.ts';
import { getParentRoute } from '#src/merchants/root-route.tsx';
import { lazyPage } from '#src/records/lazy-page.ts';

const ListTeamApprovals = lazyPage(
  async () => (await import('#src/merchants/approvals/list-team-approvals.tsx')).ListTeamApprovals,
);
const ShowTeamApproval = lazyPage(
  async () => (await import('#src/merchants/approvals/show-team-approval.tsx')).ShowTeamApproval,
);
const ShowPerson = lazyPage(async () => (await import('#src/merchants/team/show-person.tsx')).ShowPerson);
const ShowTeam = lazyPage(async () => (await import('#src/merchants/team/show-team.tsx')).ShowTeam);
const TeamAudit = lazyPage(async () => (await import('#src/merchants/team/team-audit.tsx')).TeamAudit);

export const approvals = createRoute({
  getParentRoute,
  path: '/approvals',
  validateSearch: (given): TeamApprovalsQuery => teamApprovalFilters(given),
  component: function Approvals() {
    return <ListTeamApprovals query={approvals.useSearch()} />;
  },
});

export const approval = createRoute({
  getParentRoute,
  path: '/approvals/$id',
  component: function Approval() {
    const { id } = approval.useParams();
    return <ShowTeamApproval key={id} id={id} />;
  },
});

export const team = createRoute({ getParentRoute, path: '/team', component: ShowTeam });

export const teamAudit = createRoute({
  getParentRoute,
  path: '/team/audit',
  validateSearch: (given): AuditQuery => auditFilters(given),
  component: function Audit() {
    return <TeamAudit query={teamAudit.useSearch()} />;
  },
});

export const person = createRoute({
  getParentRoute,
  path: '/team/$id',
  component: function Person() {
    const { id } = person.useParams();
    return <ShowPerson key={id} id={id} />;
  },
});
