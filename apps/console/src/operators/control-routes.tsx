import { createRoute } from '@tanstack/react-router';
import type { AuditQuery } from '#src/audit/list-audit.tsx';
import {
  auditFilters,
  dayFilters,
  fileFilters,
  requestFilters,
  runFilters,
  signInFilters,
} from '#src/operators/addresses.ts';
import { getParentRoute } from '#src/operators/root-route.tsx';
import type { SignInsQuery } from '#src/people/list-sign-ins.tsx';
import type { DaysQuery } from '#src/reconciliation/list-days.tsx';
import type { FilesQuery } from '#src/reconciliation/list-files.tsx';
import type { ReconciliationsQuery } from '#src/reconciliation/list-reconciliations.tsx';
import { lazyPage } from '#src/records/lazy-page.ts';
import type { RequestsQuery } from '#src/requests/list-requests.tsx';

const ListRuns = lazyPage(
  async () => (await import('#src/reconciliation/list-reconciliations.tsx')).ListReconciliations,
);
const ListDays = lazyPage(async () => (await import('#src/reconciliation/list-days.tsx')).ListDays);
const ListFiles = lazyPage(async () => (await import('#src/reconciliation/list-files.tsx')).ListFiles);
const ListPeople = lazyPage(async () => (await import('#src/people/list-people.tsx')).ListPeople);
const ShowPerson = lazyPage(async () => (await import('#src/people/show-person.tsx')).ShowPerson);
const ListTokens = lazyPage(async () => (await import('#src/people/list-tokens.tsx')).ListTokens);
const ListSignIns = lazyPage(async () => (await import('#src/people/list-sign-ins.tsx')).ListSignIns);
const ListAudit = lazyPage(async () => (await import('#src/audit/list-audit.tsx')).ListAudit);
const ListRequests = lazyPage(async () => (await import('#src/requests/list-requests.tsx')).ListRequests);

export const reconciliation = createRoute({
  getParentRoute,
  path: '/reconciliation',
  validateSearch: (given): ReconciliationsQuery => runFilters(given),
  component: function Runs() {
    return <ListRuns query={reconciliation.useSearch()} />;
  },
});

export const days = createRoute({
  getParentRoute,
  path: '/statement-days',
  validateSearch: (given): DaysQuery => dayFilters(given),
  component: function Days() {
    return <ListDays query={days.useSearch()} />;
  },
});

export const files = createRoute({
  getParentRoute,
  path: '/statement-files',
  validateSearch: (given): FilesQuery => fileFilters(given),
  component: function Files() {
    return <ListFiles query={files.useSearch()} />;
  },
});

export const people = createRoute({ getParentRoute, path: '/people', component: ListPeople });

export const person = createRoute({
  getParentRoute,
  path: '/people/$id',
  component: function Person() {
    const { id } = person.useParams();
    return <ShowPerson key={id} id={id} />;
  },
});

export const tokens = createRoute({ getParentRoute, path: '/service-tokens', component: ListTokens });

export const signIns = createRoute({
  getParentRoute,
  path: '/sign-ins',
  validateSearch: (given): SignInsQuery => signInFilters(given),
  component: function SignIns() {
    return <ListSignIns query={signIns.useSearch()} />;
  },
});

export const requests = createRoute({
  getParentRoute,
  path: '/requests',
  validateSearch: (given): RequestsQuery => requestFilters(given),
  component: function Requests() {
    return <ListRequests query={requests.useSearch()} />;
  },
});

export const audit = createRoute({
  getParentRoute,
  path: '/audit',
  validateSearch: (given): AuditQuery => auditFilters(given),
  component: function Audit() {
    return <ListAudit query={audit.useSearch()} />;
  },
});
