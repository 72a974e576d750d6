import * as contracts from '@gateway/contracts/deposits';
import { getDepositCallFigures, getDepositCallHistory } from '@gateway/contracts/providers';
import { listDepositRecordEvents } from '@gateway/contracts/webhooks';
import { answering, type RpcRoute } from '@gateway/messaging';
import { feedRoutes, readCallFigures, readCallHistory } from '@gateway/provider-feeds';
import { cancelDeposit } from '#src/charge/cancel-deposit.ts';
import { createConnectorDeposit, createDeposit } from '#src/charge/create-deposit.ts';
import { simulateExpiry } from '#src/charge/expire-deposits.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit, listDeposits, showDeposits } from '#src/deposit/read-deposits.ts';
import { findContestedPayment } from '#src/dispute/contested-payment.ts';
import { enterDispute } from '#src/dispute/enter-dispute.ts';
import {
  getDispute,
  getEvidenceText,
  getOperatorDispute,
  listDisputes,
  listOperatorDisputes,
  showDisputes,
} from '#src/dispute/read-disputes.ts';
import { resolveDispute } from '#src/dispute/resolve-dispute.ts';
import { getStatementRecords } from '#src/dispute/statement-records.ts';
import { simulateDispute, simulateDisputeResult } from '#src/dispute/simulate-dispute.ts';
import { confirmEvidence, submitEvidence } from '#src/dispute/submit-evidence.ts';
import { lookUpForOperator, lookUpReturnForOperator } from '#src/provider-feed/look-up-for-operator.ts';
import { listOrphanReceipts, retryOrphanReceipt } from '#src/orphan-receipts/operator-requests.ts';
import { getOperatorDeposit, listOperatorDeposits } from '#src/payment/operator-deposits.ts';
import { simulatePayment } from '#src/payment/simulate-payment.ts';
import { bookApprovedFees, bookProviderFees } from '#src/providers/book-provider-fees.ts';
import { compareProviderBalances } from '#src/providers/compare-provider-balances.ts';
import { getGatheredTransfers, getMoneyRecords, listMoneyRecords } from '#src/providers/money-records.ts';
import { listRecordEvents } from '#src/providers/record-events.ts';
import { listProviders, updateProvider } from '#src/providers/operate-providers.ts';
import { abandonRefund } from '#src/refund/abandon-refund.ts';
import { createRefund } from '#src/refund/create-refund.ts';
import {
  getRefund,
  listAccountRefunds,
  listOperatorRefunds,
  listRefunds,
  showAccountRefunds,
  showRefunds,
} from '#src/refund/read-refunds.ts';
import { getReturn, resolveReturn } from '#src/resolution/resolve-return.ts';

export function rpcRoutes(dependencies: Dependencies): readonly RpcRoute[] {
  return [
    answering(contracts.createDeposit, (request, call) => createDeposit(dependencies, request, call)),
    answering(contracts.createConnectorDeposit, (request, call) => createConnectorDeposit(dependencies, request, call)),
    answering(contracts.getDeposit, (request) => getDeposit(dependencies, request)),
    answering(contracts.listDeposits, (request) => listDeposits(dependencies, request)),
    answering(contracts.showDeposits, (request) => showDeposits(dependencies, request)),
    answering(contracts.lookUpDeposit, (request) => lookUpForOperator(dependencies, request)),
    answering(contracts.lookUpReturn, (request) => lookUpReturnForOperator(dependencies, request)),
    answering(contracts.listOperatorDeposits, (request) => listOperatorDeposits(dependencies, request)),
    answering(contracts.getOperatorDeposit, (request) => getOperatorDeposit(dependencies, request)),
    answering(contracts.getDepositRecords, (request) => getStatementRecords(dependencies, request)),
    answering(contracts.cancelDeposit, (request) => cancelDeposit(dependencies, request)),
    answering(contracts.createRefund, (request, call) => createRefund(dependencies, request, call)),
    answering(contracts.abandonRefund, (request) => abandonRefund(dependencies, request)),
    answering(contracts.listRefunds, (request) => listRefunds(dependencies, request)),
    answering(contracts.showRefunds, (request) => showRefunds(dependencies, request)),
    answering(contracts.getRefund, (request) => getRefund(dependencies, request)),
    answering(contracts.listAccountRefunds, (request) => listAccountRefunds(dependencies, request)),
    answering(contracts.showAccountRefunds, (request) => showAccountRefunds(dependencies, request)),
    answering(contracts.listOperatorRefunds, (request) => listOperatorRefunds(dependencies, request)),
    answering(contracts.getReturn, (request) => getReturn(dependencies, request)),
    answering(contracts.listOperatorDisputes, (request) => listOperatorDisputes(dependencies, request)),
    answering(contracts.getOperatorDispute, (request) => getOperatorDispute(dependencies, request)),
    answering(contracts.findContestedPayment, (request) => findContestedPayment(dependencies, request)),
    answering(contracts.enterDispute, (request) => enterDispute(dependencies, request)),
    answering(contracts.resolveDispute, (request) => resolveDispute(dependencies, request)),
    answering(contracts.confirmEvidence, (request) => confirmEvidence(dependencies, request)),
    answering(contracts.resolveRefund, (request) => resolveReturn(dependencies, request)),
    answering(contracts.getDispute, (request) => getDispute(dependencies, request)),
    answering(contracts.listDisputes, (request) => listDisputes(dependencies, request)),
    answering(contracts.showDisputes, (request) => showDisputes(dependencies, request)),
    answering(contracts.getEvidenceText, (request) => getEvidenceText(dependencies, request)),
    answering(contracts.submitEvidence, (request) => submitEvidence(dependencies, request)),
    answering(contracts.listOrphanReceipts, (request) => listOrphanReceipts(dependencies, request)),
    answering(contracts.retryOrphanReceipt, (request) => retryOrphanReceipt(dependencies, request)),
    answering(contracts.getDepositMoneyRecords, (request) => getMoneyRecords(dependencies.database, request)),
    answering(contracts.getGatheredTransfers, (request) => getGatheredTransfers(dependencies.database, request)),
    answering(contracts.listDepositMoneyRecords, (request) => listMoneyRecords(dependencies.database, request)),
    answering(listDepositRecordEvents, (request) => listRecordEvents(dependencies.database, request)),
    answering(contracts.listProviders, () => listProviders(dependencies)),
    answering(contracts.updateProvider, (request) => updateProvider(dependencies, request)),
    answering(contracts.bookApprovedFees, (request) => bookApprovedFees(dependencies, request)),
    answering(contracts.bookProviderFees, (request) => bookProviderFees(dependencies, request)),
    answering(contracts.compareProviderBalances, async () => ({
      balances: await compareProviderBalances(dependencies),
    })),
    answering(contracts.simulateDispute, (request, call) => simulateDispute(dependencies, request, call)),
    answering(contracts.simulateDisputeResult, (request, call) => simulateDisputeResult(dependencies, request, call)),
    answering(contracts.simulateExpiry, (request) => simulateExpiry(dependencies, request)),
    answering(contracts.simulatePayment, (request, call) => simulatePayment(dependencies, request, call)),
    answering(getDepositCallFigures, ({ provider }) =>
      readCallFigures(dependencies.database, provider, dependencies.now()),
    ),
    answering(getDepositCallHistory, (request) => readCallHistory(dependencies.database, request)),
    ...feedRoutes(dependencies.database, 'deposits', dependencies.now),
  ];
}
