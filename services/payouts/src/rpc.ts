import {
  abandonCreation,
  approvePayout,
  cancelPayout,
  createPayout,
  getOperatorPayout,
  getPayout,
  getPayoutsInFlight,
  listOperatorPayouts,
  listPayouts,
  refusePayout,
  resolvePayout,
  settlePayout,
} from '@gateway/contracts/payouts';
import { answering, type RpcRoute } from '@gateway/messaging';
import { approvePayout as approve } from '#src/approval/approve-payout.ts';
import { cancelPayout as cancel } from '#src/approval/cancel-payout.ts';
import { refusePayout as refuse } from '#src/approval/refuse-payout.ts';
import { abandonCreation as abandon } from '#src/creation/abandon-creation.ts';
import { createPayout as create } from '#src/creation/create-payout.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { getPayoutsInFlight as inFlight } from '#src/in-flight/get-payouts-in-flight.ts';
import { getOperatorPayout as getForOperators } from '#src/payout/get-operator-payout.ts';
import { getPayout as get } from '#src/payout/get-payout.ts';
import { listOperatorPayouts as listForOperators } from '#src/payout/list-operator-payouts.ts';
import { listPayouts as list } from '#src/payout/list-payouts.ts';
import { resolvePayout as resolve } from '#src/resolution/resolve-payout.ts';
import { settleByHand } from '#src/settlement/settle-by-hand.ts';

export function rpcRoutes(dependencies: Dependencies): readonly RpcRoute[] {
  return [
    answering(createPayout, (request, call) => create(dependencies, request, call)),
    answering(abandonCreation, (request) => abandon(dependencies, request)),
    answering(getPayout, (request) => get(dependencies, request)),
    answering(listPayouts, (request) => list(dependencies, request)),
    answering(cancelPayout, (request) => cancel(dependencies, request)),
    answering(settlePayout, (request) => settleByHand(dependencies, request)),
    answering(listOperatorPayouts, (request) => listForOperators(dependencies, request)),
    answering(getOperatorPayout, (request) => getForOperators(dependencies, request)),
    answering(getPayoutsInFlight, () => inFlight(dependencies, 'live')),
    answering(approvePayout, (request) => approve(dependencies, request)),
    answering(refusePayout, (request) => refuse(dependencies, request)),
    answering(resolvePayout, (request) => resolve(dependencies, request)),
  ];
}
