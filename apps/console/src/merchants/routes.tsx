import { createRouter } from '@tanstack/react-router';
import * as ofMoney from '#src/merchants/money-routes.tsx';
import { root } from '#src/merchants/root-route.tsx';
import * as ofSystems from '#src/merchants/system-routes.tsx';
import * as ofTeam from '#src/merchants/team-routes.tsx';
import { OldPage } from '#src/records/old-page.tsx';

const { home, mySignIn, search, payments, payment, refund, payouts, payoutBatch, payout } = ofMoney;
const { branding, convert, statement, disputes, dispute } = ofMoney;
const { webhooks, webhook, delivery, eventLog, event, requestLog, request, developers, key } = ofSystems;
const { approvals, approval, team, teamAudit, person } = ofTeam;

const routeTree = root.addChildren([
  ...[home, mySignIn, search, payments, payment, refund, payouts, payoutBatch, payout],
  ...[statement, disputes, dispute, webhooks, webhook, delivery, approvals, approval],
  ...[eventLog, event, requestLog, request],
  ...[branding, convert, developers, key, team, teamAudit, person],
]);

/**
 * Every page of the merchants' console.
 *
 * @param basepath the account and the environment that they are of
 */
export function routerBelow(basepath: string) {
  return createRouter({ defaultErrorComponent: OldPage, routeTree, basepath });
}
