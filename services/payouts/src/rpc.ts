import { createPayout, getPayout, listPayouts } from '@gateway/contracts';
import { answering, type RpcRoute } from '@gateway/service-kit';
import { createPayout as create } from '#src/creation/create-payout.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { getPayout as get } from '#src/payout/get-payout.ts';
import { listPayouts as list } from '#src/payout/list-payouts.ts';

export function rpcRoutes(dependencies: Dependencies): readonly RpcRoute[] {
  return [
    answering(createPayout, (request, call) => create(dependencies, request, call)),
    answering(getPayout, (request) => get(dependencies, request)),
    answering(listPayouts, (request) => list(dependencies, request)),
  ];
}
