import type { createDeposit as contract } from '@gateway/contracts/deposits';
import type { ReplyOf } from '@gateway/contracts/messages';
import type { RpcCall } from '@gateway/messaging';
import { measureProviderCall } from '@gateway/provider-feeds';
import { awaitCreation } from '#src/charge/await-creation.ts';
import { draftDeposit, refusalOf, type CreateDepositRequest } from '#src/charge/draft-deposit.ts';
import { chargeInputOf } from '#src/deposit/charge-input.ts';
import { createdEvent, openCharge, withCharge } from '#src/charge/open-charge.ts';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
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
  const refusal = refusalOf(request, route);
  do {
    const created = refusal || !route ? null : await tryToCreate(dependencies, request, route, others);
    if (created) return created;
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
  const { deposits, now } = dependencies;
  const claimed = draftDeposit(request, route, now());
  if (!route.offline) {
    if (!(await deposits.insert(claimed))) return null;
    return { created: true, deposit: await openCharge(dependencies, route, claimed, others) };
  }
  const outcome = await measureProviderCall(
    route.provider.id,
    'create-charge',
    ({ kind }) => kind,
    () => route.provider.createCharge(chargeInputOf(claimed)),
  );
  if (outcome.kind !== 'accepted') throw new ProviderUnavailableError(outcome);
  const opened = withCharge(dependencies, claimed, outcome.charge);
  const deposit = toDeposit(opened);
  return (await deposits.insert(opened, createdEvent(deposit, now()))) ? { created: true, deposit } : null;
}
