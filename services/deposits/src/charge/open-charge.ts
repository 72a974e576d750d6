import { LockMode } from '@mikro-orm/core';
import { DepositCreated, type Deposit } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import type { Charge, ChargeOutcome } from '@gateway/providers';
import { emit } from '@gateway/persistence';
import { measureProviderCall } from '@gateway/provider-feeds';
import { chargeInputOf } from '#src/deposit/charge-input.ts';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import { follow } from '#src/deposit/life-cycle.ts';
import { toDeposit, unixSeconds } from '#src/deposit/to-deposit.ts';
import { ProviderUnavailableError } from '#src/errors.ts';
import type { ChargeRoute } from '#src/routing/charge-routes.ts';

const chargeTimeoutMs = 4_000;

/**
 * Brings a claimed record to its end: the provider's charge and PENDING, or no record. Repeatable: the reference is
 * stored, so the provider knows the charge again, and a record that was completed meanwhile is answered as it is.
 * Where nothing was sent, the next of the others is asked, under the same reference.
 *
 * @throws ProviderUnavailableError when no charge came of it; the record is gone and its external_id free
 */
export async function openCharge(
  dependencies: ChargeDependencies,
  route: ChargeRoute,
  deposit: DepositRow,
  others: readonly ChargeRoute[] = [],
): Promise<Deposit> {
  const outcome = await askForCharge(route, deposit);
  const [next, ...rest] = others;
  if (outcome.kind === 'not_sent' && next) {
    const { cause } = outcome;
    dependencies.logger.warn({ depositId: deposit.id, provider: deposit.provider, cause }, 'charge fails over');
    return await openCharge(dependencies, next, await reassign(dependencies, deposit, next), rest);
  }
  const opened =
    outcome.kind === 'accepted'
      ? await recordCharge(dependencies, deposit, outcome.charge)
      : await abandon(dependencies, deposit, outcome);
  if (!opened) throw new ProviderUnavailableError();
  return opened;
}

/** An answer that was lost is asked for once more: the provider finds the charge by its reference. */
async function askForCharge(route: ChargeRoute, deposit: DepositRow): Promise<ChargeOutcome> {
  const input = chargeInputOf(deposit);
  const call = () => route.provider.createCharge(input, { signal: AbortSignal.timeout(chargeTimeoutMs) });
  const ask = () => measureProviderCall(route.provider.id, 'create-charge', ({ kind }) => kind, call);
  const outcome = await ask();
  return outcome.kind === 'unknown' ? await ask() : outcome;
}

/** The record names its provider before that one is called, as always. */
async function reassign(dependencies: ChargeDependencies, deposit: DepositRow, next: ChargeRoute): Promise<DepositRow> {
  const { environment, accountId, id } = deposit;
  const provider = next.provider.id;
  const [row] = await dependencies.database.query<{ id: string }>(
    `update deposit set provider = $4 where environment = $1 and account_id = $2 and id = $3 and state = 'CREATING'
     returning id`,
    [environment, accountId, id, provider],
  );
  if (!row) throw new ProviderUnavailableError();
  return { ...deposit, provider };
}

/** The record with its charge, in the state it has from then on. */
export function withCharge(
  { qrUrlOf, pageUrlOf }: ChargeDependencies,
  deposit: DepositRow,
  charge: Charge,
): DepositRow {
  return {
    ...deposit,
    state: follow(deposit.state, 'opened'),
    creationDueAt: null,
    providerRef: charge.providerRef,
    emv: charge.rail === 'PIX' ? charge.emv : null,
    qrUrl: charge.rail === 'PIX' ? qrUrlOf(deposit) : null,
    clabe: charge.rail === 'SPEI' ? (charge.clabe ?? null) : null,
    // Contract 0.1 has no member for it.
    redirectUrl: charge.rail === 'SPEI' || deposit.apiVersion === '1.0' ? pageUrlOf(deposit) : null,
  };
}

export function depositCreated(deposit: Deposit, now: Date) {
  return { id: newId('event', now.getTime()), occurredAt: unixSeconds(now), deposit };
}

async function recordCharge(
  dependencies: ChargeDependencies,
  { environment, accountId, id }: DepositRow,
  charge: Charge,
): Promise<Deposit | null> {
  return await dependencies.database.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
    const row = await tx.em.findOne(DepositEntity, { environment, accountId, id }, lock);
    if (row?.state !== 'CREATING') return row && toDeposit(row);
    tx.em.assign(row, withCharge(dependencies, row, charge));
    const deposit = toDeposit(row);
    await emit(tx, DepositCreated, depositCreated(deposit, dependencies.now()));
    return deposit;
  });
}

/**
 * Gives the external_id back. After an unknown outcome too: should the provider have the charge, nobody was ever shown
 * its code, so nobody can pay it.
 */
async function abandon(
  { database, logger }: ChargeDependencies,
  { environment, accountId, id, provider }: DepositRow,
  outcome: Exclude<ChargeOutcome, { kind: 'accepted' }>,
): Promise<null> {
  const cause = outcome.kind === 'refused' ? outcome.message : outcome.cause;
  logger.warn({ depositId: id, provider, outcome: outcome.kind, cause }, 'charge could not be opened');
  await database.query(
    `delete from deposit where environment = $1 and account_id = $2 and id = $3 and state = 'CREATING'`,
    [environment, accountId, id],
  );
  return null;
}
