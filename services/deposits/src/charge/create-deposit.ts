import { setTimeout as sleep } from 'node:timers/promises';
import { requireNotFrozen } from '@gateway/contracts/accounts';
import type {
  createConnectorDeposit as connectorContract,
  createDeposit as contract,
  Deposit,
} from '@gateway/contracts/deposits';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import type { Environment } from '@gateway/contracts/values';
import type { RpcCall } from '@gateway/messaging';
import { Creation } from '#src/charge/creation.ts';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { type CreateDepositRequest, draftDeposit, refusalOf } from '#src/charge/draft-deposit.ts';
import { openCharge } from '#src/charge/open-charge.ts';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { CreationUnderWayError, ProviderUnavailableError } from '#src/errors.ts';
import { type ChargeRoute, routesFor } from '#src/routing/charge-routes.ts';

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
  let refusal = refusalOf(request, route, dependencies.chargeRoutes);
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

/**
 * A deposit the connector asks for. The gateway answers whose the key is, and what fees and retention its account has: a
 * caller in the connector's name cannot choose them.
 */
export async function createConnectorDeposit(
  dependencies: ChargeDependencies,
  { publicKey, ...wanted }: PayloadOf<{ payload: typeof connectorContract.request }>,
  call: RpcCall,
): Promise<ReplyOf<typeof connectorContract>> {
  const { environment, account, apiVersion, frozen } = await dependencies.holderOf(publicKey, call.timeoutMs / 2);
  requireNotFrozen(frozen, 'write');
  return await createDeposit(dependencies, { ...wanted, environment, account, apiVersion }, call);
}

const lookFirstMs = 20;
const lookMaxMs = 200;

/** `offset 0` keeps the account out of the choice of an index, which has to be that of the external ids. */
const findStatement = `
  select id from (select id, account_id from deposit where environment = $1 and external_id = $3 offset 0) as found
  where account_id = $2`;

interface ExternalKey {
  readonly environment: Environment;
  readonly accountId: string;
  readonly externalId: string;
}

/**
 * The record of an external_id, waiting for the call that is creating it right now.
 *
 * @returns null when there is none (any more): the external_id is free
 * @throws CreationUnderWayError when the signal aborts first
 */
async function awaitCreation(
  { database }: ChargeDependencies,
  { environment, accountId, externalId }: ExternalKey,
  signal: AbortSignal,
): Promise<Deposit | null> {
  for (let waitMs = lookFirstMs; ; waitMs = Math.min(waitMs * 2, lookMaxMs)) {
    const [found] = await database.query<{ id: string }>(findStatement, [environment, accountId, externalId]);
    if (!found) return null;
    const row = await database.reader().findOne(DepositEntity, { environment, accountId, id: found.id });
    if (row && row.state !== 'CREATING') return toDeposit(row);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw new CreationUnderWayError();
  }
}
