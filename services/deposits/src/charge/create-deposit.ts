import type { createDeposit as contract } from '@gateway/contracts/deposits';
import type { ReplyOf } from '@gateway/contracts/messages';
import type { RpcCall } from '@gateway/messaging';
import { awaitCreation } from '#src/charge/await-creation.ts';
import { draftDeposit, refusalOf, type CreateDepositRequest } from '#src/charge/draft-deposit.ts';
import { Creation } from '#src/charge/creation.ts';
import { openCharge } from '#src/charge/open-charge.ts';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { CreationUnderWayError, ProviderUnavailableError } from '#src/errors.ts';
import { routesFor, type ChargeRoute } from '#src/routing/charge-routes.ts';

type Reply = ReplyOf<typeof contract>;

/**
 * One deposit per (environment, account, external_id), whatever a repeated body says (api.md 1). The unique constraint
 * decides between racing calls; the loser answers the winner's record, or tries itself when the winner came to nothing.
 */
export async function createDeposit(
  dependencies: ChargeDependencies,
  request: CreateDepositRequest,
  call: Pick<RpcCall, 'signal'>,
): Promise<Reply> {
  const key = { environment: request.environment, accountId: request.account.id, externalId: request.externalId };
  const routes = routesFor(dependencies.chargeRoutes, request, `${key.accountId} ${key.externalId}`);
  const [route, ...others] = routes;
  let refusal = refusalOf(request, route);
  do {
    try {
      const created = refusal || !route ? null : await tryToCreate(dependencies, request, route, others);
      if (created) return created;
    } catch (error) {
      if (!(error instanceof ProviderUnavailableError)) throw error;
      refusal = error;
    }
    // The signal is asked for here first: it costs a timer, and most calls have created their deposit.
    const deposit = await awaitCreation(dependencies, key, call.signal);
    if (deposit) return { created: false, deposit };
    if (refusal) throw refusal;
  } while (!call.signal.aborted);
  throw new CreationUnderWayError();
}

/** Null when the external_id is taken. */
async function tryToCreate(
  dependencies: ChargeDependencies,
  request: CreateDepositRequest,
  route: ChargeRoute,
  others: readonly ChargeRoute[],
): Promise<Reply | null> {
  const creation = new Creation(dependencies, draftDeposit(request, route, dependencies.now()));
  const deposit = await openCharge(dependencies, route, creation, others);
  return deposit && { created: true, deposit };
}
