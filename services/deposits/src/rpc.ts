import {
  cancelDeposit,
  compareProviderBalances,
  confirmEvidence,
  createConnectorDeposit,
  createDeposit,
  createRefund,
  getDeposit,
  getDispute,
  getEvidenceText,
  getOperatorDispute,
  getRefund,
  getReturn,
  listAccountRefunds,
  listDeposits,
  listDisputes,
  listOperatorDisputes,
  listOperatorRefunds,
  listOrphanReceipts,
  listProviders,
  listRefunds,
  resolveDispute,
  resolveRefund,
  retryOrphanReceipt,
  simulateDispute,
  simulateDisputeResult,
  simulateExpiry,
  simulatePayment,
  submitEvidence,
  updateProvider,
} from '@gateway/contracts/deposits';
import { answering, type RpcRoute } from '@gateway/messaging';
import { feedRoutes } from '@gateway/provider-feeds';
import { cancelDeposit as cancel } from '#src/charge/cancel-deposit.ts';
import { createConnectorDeposit as createForConnector } from '#src/charge/create-connector-deposit.ts';
import { createDeposit as create } from '#src/charge/create-deposit.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit as get } from '#src/deposit/get-deposit.ts';
import { listDeposits as list } from '#src/deposit/list-deposits.ts';
import { confirmEvidence as confirmHandedOver } from '#src/dispute/confirm-evidence.ts';
import {
  getDispute as disputeOf,
  getEvidenceText as evidenceTextOf,
  getOperatorDispute as disputeOfAny,
} from '#src/dispute/get-dispute.ts';
import { listDisputes as disputesOf, listOperatorDisputes as disputesOfAll } from '#src/dispute/list-disputes.ts';
import { resolveDispute as resolveContradiction } from '#src/dispute/resolve-dispute.ts';
import { simulateDispute as dispute } from '#src/dispute/simulate-dispute.ts';
import { simulateDisputeResult as resolve } from '#src/dispute/simulate-dispute-result.ts';
import { submitEvidence as defend } from '#src/dispute/submit-evidence.ts';
import { simulateExpiry as simulateTimeUp } from '#src/charge/simulate-expiry.ts';
import { simulatePayment as simulate } from '#src/payment/simulate-payment.ts';
import { listOrphanReceipts as orphansOf } from '#src/orphan-receipts/list-orphan-receipts.ts';
import { retryOrphanReceipt as retryOrphan } from '#src/orphan-receipts/retry-orphan-receipt.ts';
import { listProviders as providersOf } from '#src/providers/list-providers.ts';
import { updateProvider as changeProvider } from '#src/providers/update-provider.ts';
import { compareProviderBalances as compareBalances } from '#src/providers/compare-provider-balances.ts';
import { createRefund as refund } from '#src/refund/create-refund.ts';
import {
  getRefund as refundOf,
  listAccountRefunds as refundsOfAccount,
  listOperatorRefunds as refundsOfAll,
  listRefunds as refundsOf,
} from '#src/refund/list-refunds.ts';
import { getReturn as returnOf, resolveReturn } from '#src/resolution/resolve-return.ts';

export function rpcRoutes(dependencies: Dependencies): readonly RpcRoute[] {
  return [
    answering(createDeposit, (request, call) => create(dependencies, request, call)),
    answering(createConnectorDeposit, (request, call) => createForConnector(dependencies, request, call)),
    answering(getDeposit, (request) => get(dependencies, request)),
    answering(listDeposits, (request) => list(dependencies, request)),
    answering(cancelDeposit, (request) => cancel(dependencies, request)),
    answering(createRefund, (request, call) => refund(dependencies, request, call)),
    answering(listRefunds, (request) => refundsOf(dependencies, request)),
    answering(getRefund, (request) => refundOf(dependencies, request)),
    answering(listAccountRefunds, (request) => refundsOfAccount(dependencies, request)),
    answering(listOperatorRefunds, (request) => refundsOfAll(dependencies, request)),
    answering(getReturn, (request) => returnOf(dependencies, request)),
    answering(listOperatorDisputes, (request) => disputesOfAll(dependencies, request)),
    answering(getOperatorDispute, (request) => disputeOfAny(dependencies, request)),
    answering(resolveDispute, (request) => resolveContradiction(dependencies, request)),
    answering(confirmEvidence, (request) => confirmHandedOver(dependencies, request)),
    answering(resolveRefund, (request) => resolveReturn(dependencies, request)),
    answering(getDispute, (request) => disputeOf(dependencies, request)),
    answering(listDisputes, (request) => disputesOf(dependencies, request)),
    answering(getEvidenceText, (request) => evidenceTextOf(dependencies, request)),
    answering(submitEvidence, (request) => defend(dependencies, request)),
    answering(listOrphanReceipts, (request) => orphansOf(dependencies, request)),
    answering(retryOrphanReceipt, (request) => retryOrphan(dependencies, request)),
    answering(listProviders, () => providersOf(dependencies)),
    answering(updateProvider, (request) => changeProvider(dependencies, request)),
    answering(compareProviderBalances, async () => ({ balances: await compareBalances(dependencies) })),
    answering(simulateDispute, (request, call) => dispute(dependencies, request, call)),
    answering(simulateDisputeResult, (request, call) => resolve(dependencies, request, call)),
    answering(simulateExpiry, (request) => simulateTimeUp(dependencies, request)),
    answering(simulatePayment, (request, call) => simulate(dependencies, request, call)),
    ...feedRoutes(dependencies.database, 'deposits'),
  ];
}
