import * as contract from '@gateway/contracts/payouts';
import { getPayoutCallFigures, getPayoutCallHistory } from '@gateway/contracts/providers';
import { listPayoutRecordEvents } from '@gateway/contracts/webhooks';
import { answering, type RpcRoute } from '@gateway/messaging';
import { readRecordEvents } from '@gateway/persistence';
import { readCallFigures, readCallHistory } from '@gateway/provider-feeds';
import { abandonCreation } from '#src/creation/await-creation.ts';
import { type ConnectorDependencies, createConnectorPayout, createPayout } from '#src/creation/create-payout.ts';
import { approvePayout, cancelPayout, refusePayout } from '#src/decisions/decide-payout.ts';
import { resolvePayout } from '#src/decisions/resolve-payout.ts';
import { simulateApproval } from '#src/decisions/simulate-approval.ts';
import { simulateSettlement } from '#src/decisions/simulate-settlement.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { followReturnLines } from '#src/provider-feed/follow-return-lines.ts';
import { lookUpForOperator } from '#src/provider-feed/look-up-for-operator.ts';
import {
  getOperatorPayout,
  getPayout,
  getPayoutsInFlight,
  getStatementRecords,
  listOperatorPayouts,
  listPayouts,
  showPayouts,
} from '#src/payout/read-payouts.ts';
import { getMoneyRecords, listMoneyRecords } from '#src/settlement/money-records.ts';
import { payoutEvents } from '#src/settlement/record-events.ts';

export function rpcRoutes(dependencies: ConnectorDependencies & ProviderFeedDependencies): readonly RpcRoute[] {
  return [
    answering(contract.createPayout, (request, call) => createPayout(dependencies, request, call)),
    answering(contract.createConnectorPayout, (request, call) => createConnectorPayout(dependencies, request, call)),
    answering(contract.abandonCreation, (request) => abandonCreation(dependencies, request)),
    answering(contract.getPayout, (request) => getPayout(dependencies, request)),
    answering(contract.listPayouts, (request) => listPayouts(dependencies, request)),
    answering(contract.showPayouts, (request) => showPayouts(dependencies, request)),
    answering(contract.getPayoutRecords, (request) => getStatementRecords(dependencies, request)),
    answering(contract.getPayoutMoneyRecords, (request) => getMoneyRecords(dependencies, request)),
    answering(contract.listPayoutMoneyRecords, (request) => listMoneyRecords(dependencies, request)),
    answering(listPayoutRecordEvents, (page) => readRecordEvents(dependencies.database, payoutEvents, page)),
    answering(contract.cancelPayout, (request) => cancelPayout(dependencies, request)),
    answering(contract.settlePayout, (request) => simulateSettlement(dependencies, request)),
    answering(contract.simulatePayoutApproval, (request) => simulateApproval(dependencies, request)),
    answering(contract.listOperatorPayouts, (request) => listOperatorPayouts(dependencies, request)),
    answering(contract.getOperatorPayout, (request) => getOperatorPayout(dependencies, request)),
    answering(contract.lookUpPayout, (request) => lookUpForOperator(dependencies, request)),
    answering(contract.followReturnLines, (request) => followReturnLines(dependencies, request)),
    answering(contract.getPayoutsInFlight, () => getPayoutsInFlight(dependencies, 'live')),
    answering(contract.approvePayout, (request) => approvePayout(dependencies, request)),
    answering(contract.refusePayout, (request) => refusePayout(dependencies, request)),
    answering(getPayoutCallFigures, ({ provider }) =>
      readCallFigures(dependencies.database, provider, dependencies.now()),
    ),
    answering(getPayoutCallHistory, (request) => readCallHistory(dependencies.database, request)),
    answering(contract.resolvePayout, (request) => resolvePayout(dependencies, request)),
  ];
}
