import { createRouter } from '@tanstack/react-router';
import * as ofAccounts from '#src/operators/account-routes.tsx';
import * as ofControl from '#src/operators/control-routes.tsx';
import { OldPage } from '#src/records/old-page.tsx';
import * as ofOperation from '#src/operators/operation-routes.tsx';
import * as ofRecords from '#src/operators/record-routes.tsx';
import { root } from '#src/operators/root-route.tsx';
import * as ofWork from '#src/operators/work-routes.tsx';

const { overview, handover, search, mySignIn, stuck, approvals, approval, exceptions, exception } = ofWork;
const { deposits, deposit, payouts, payout, refunds, refund, disputes, dispute } = ofRecords;
const { receipts, receipt, conversions, conversion, providers, provider, letters, letter, feeds } = ofOperation;
const {
  accounts,
  account,
  accountActivity,
  accountStatement,
  access,
  accountWebhooks,
  accountWebhook,
  accountDelivery,
} = ofAccounts;
const { reconciliation, days, files, people, person, tokens, signIns, requests, audit } = ofControl;

/** Every page of the operators' console. */
export const router = createRouter({
  defaultErrorComponent: OldPage,
  routeTree: root.addChildren([
    ...[overview, handover, search, mySignIn, stuck, approvals, approval, exceptions, exception],
    ...[deposits, deposit, payouts, payout, refunds, refund, disputes, dispute],
    ...[receipts, receipt, conversions, conversion, providers, provider, letters, letter, feeds],
    ...[accounts, account, accountActivity, accountStatement, access, accountWebhooks, accountWebhook, accountDelivery],
    ...[reconciliation, days, files, people, person, tokens, signIns, requests, audit],
  ]),
});
