import { LockMode } from '@mikro-orm/core';
import type { Deposit, DepositCreated } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { type Environment, unixSeconds } from '@gateway/contracts/values';
import { isId, newId } from '@gateway/money';
import { asMany, type Database, emit, ReadQueue, type Tx } from '@gateway/persistence';
import { depositColumns, DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import { type depositLifeCycle, nextState } from '#src/deposit/life-cycle.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';

/** A charge by the reference its provider knows. */
export interface ChargeKey {
  readonly environment: Environment;
  readonly provider: string;
  readonly reference: string;
}

export interface DepositKey {
  readonly environment: Environment;
  readonly accountId: string;
  readonly id: string;
}

const findStatement = `
  select ${depositColumns.selectedFrom('deposit')} from deposit
  where environment = $1 and account_id = $2 and id = $3`;

/** @throws NotFoundError also for the deposits of others, and for one that is still being created */
export async function findDeposit(database: Database, { environment, accountId, id }: DepositKey): Promise<DepositRow> {
  if (!isId('deposit', id)) throw new NotFoundError('deposit');
  const [deposit] = await database.query<DepositRow>(findStatement, [environment, accountId, id], 'find-deposit');
  return visible(deposit);
}

function visible(deposit: DepositRow | undefined): DepositRow {
  if (!deposit || deposit.state === 'CREATING') throw new NotFoundError('deposit');
  return deposit;
}

/** What is asked for, by three members that name it. */
const askedBy = (names: string) =>
  asMany(
    `unnest($1::text[], $2::text[], $3::text[]) with ordinality as asked (${names}, place)`,
    '$1::text[]',
    'asked',
  );

/** One index probe per deposit; `offset 0` keeps the planner from turning the probes into a scan. */
const findManyStatement = `
  select asked.place::int, ${depositColumns.selectedFrom('found')}
  from ${askedBy('environment, account_id, id')}
  cross join lateral (
    select * from deposit
    where environment = asked.environment and account_id = asked.account_id and id = asked.id offset 0
  ) found`;

/** The same by the reference that its provider knows it under. */
const ofChargesStatement = `
  select asked.place::int, ${depositColumns.selectedFrom('found')}
  from ${askedBy('environment, provider, reference')}
  cross join lateral (
    select * from deposit
    where environment = asked.environment and provider = asked.provider and reference = asked.reference offset 0
  ) found`;

interface PlacedDeposit extends DepositRow {
  /** Counts from 1, in the order the deposits were asked for. */
  readonly place: number;
}

/** For the reads that come by the thousand: those that are made at the same time share a statement. */
export class DepositReader {
  readonly #database: Database;
  readonly #byId = new ReadQueue({
    keyOf: ({ environment, accountId, id }: DepositKey) => `${environment} ${accountId} ${id}`,
    read: (keys: readonly DepositKey[]) => this.#readByIds(keys),
  });
  readonly #byCharge = new ReadQueue({
    keyOf: ({ environment, provider, reference }: ChargeKey) => `${environment} ${provider} ${reference}`,
    read: (keys: readonly ChargeKey[]) => this.#readByCharges(keys),
  });

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws NotFoundError as `findDeposit` */
  async find({ environment, accountId, id }: DepositKey): Promise<DepositRow> {
    if (!isId('deposit', id)) throw new NotFoundError('deposit');
    return visible(await this.#byId.add({ environment, accountId, id }));
  }

  /** The deposit of a charge, also while it is being created; undefined for a charge that is not ours. */
  async findByCharge({ environment, provider, reference }: ChargeKey): Promise<DepositRow | undefined> {
    return await this.#byCharge.add({ environment, provider, reference });
  }

  async #readByIds(keys: readonly DepositKey[]): Promise<readonly (DepositRow | undefined)[]> {
    const columns = [
      keys.map(({ environment }) => environment),
      keys.map(({ accountId }) => accountId),
      keys.map(({ id }) => id),
    ];
    return inOrder(keys, await this.#database.query<PlacedDeposit>(findManyStatement, columns, 'find-deposits'));
  }

  async #readByCharges(keys: readonly ChargeKey[]): Promise<readonly (DepositRow | undefined)[]> {
    const columns = [
      keys.map(({ environment }) => environment),
      keys.map(({ provider }) => provider),
      keys.map(({ reference }) => reference),
    ];
    return inOrder(keys, await this.#database.query<PlacedDeposit>(ofChargesStatement, columns, 'deposits-of-charges'));
  }
}

function inOrder(asked: readonly unknown[], rows: readonly PlacedDeposit[]): readonly (DepositRow | undefined)[] {
  const byPlace = new Map(rows.map(({ place, ...deposit }) => [place, deposit]));
  return asked.map((_, index) => byPlace.get(index + 1));
}

/**
 * The deposit, locked until the transaction ends: everything that pays, expires or refunds it comes one after the other.
 *
 * @throws NotFoundError as `findDeposit`
 */
export async function lockDeposit(tx: Tx, { environment, accountId, id }: DepositKey) {
  if (!isId('deposit', id)) throw new NotFoundError('deposit');
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const deposit = await tx.em.findOne(DepositEntity, { environment, accountId, id }, lock);
  if (!deposit || deposit.state === 'CREATING') throw new NotFoundError('deposit');
  return deposit;
}

/**
 * Applies a transition to a deposit, and emits its event.
 *
 * @param deposit locked in `tx`
 * @throws DomainError INVALID_STATE when the deposit's state does not allow it
 */
export async function moveDeposit(
  tx: Tx,
  deposit: DepositRow,
  transition: keyof typeof depositLifeCycle,
  event: typeof DepositCreated,
  now: Date,
): Promise<Deposit> {
  tx.em.assign(deposit, { state: nextState(deposit.state, transition) });
  const record = toDeposit(deposit);
  const { provider } = deposit;
  await emit(tx, event, { id: newId('event', now.getTime()), occurredAt: unixSeconds(now), provider, deposit: record });
  return record;
}
