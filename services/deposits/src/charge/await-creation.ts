import { setTimeout as sleep } from 'node:timers/promises';
import type { Deposit } from '@gateway/contracts/deposits';
import type { Environment } from '@gateway/contracts/values';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { CreationUnderWayError } from '#src/errors.ts';

const lookFirstMs = 20;
const lookMaxMs = 200;

/** `offset 0` keeps the account out of the choice of an index, which has to be that of the external ids. */
const findStatement = `
  select id from (select id, account_id from deposit where environment = $1 and external_id = $3 offset 0) as found
  where account_id = $2`;

export interface ExternalKey {
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
export async function awaitCreation(
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
