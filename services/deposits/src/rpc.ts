import { createDeposit, getDeposit, listDeposits, simulatePayment } from '@gateway/contracts';
import { answering, type RpcRoute } from '@gateway/service-kit';
import { createDeposit as create } from '#src/charging/create-deposit.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit as get } from '#src/deposit/get-deposit.ts';
import { listDeposits as list } from '#src/deposit/list-deposits.ts';
import { simulatePayment as simulate } from '#src/payment/simulate-payment.ts';

export function rpcRoutes(dependencies: Dependencies): readonly RpcRoute[] {
  return [
    answering(createDeposit, (request, call) => create(dependencies, request, call)),
    answering(getDeposit, (request) => get(dependencies, request)),
    answering(listDeposits, (request) => list(dependencies, request)),
    answering(simulatePayment, (request, call) => simulate(dependencies, request, call)),
  ];
}
