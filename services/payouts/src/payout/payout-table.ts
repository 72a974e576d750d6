import type { Environment } from '@gateway/contracts/values';
import { idLowerBound } from '@gateway/money';
import { outboxCommitted, outboxParameters, WriteQueue, type Database, type OutboxRow } from '@gateway/persistence';
import { nextState, type Move } from '#src/payout/life-cycle.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import {
  claimRecheckStatement,
  claimStatement,
  draftArrays,
  findByE2eIdStatement,
  findByExternalIdStatement,
  findByIdStatement,
  insertStatement,
  insertWithinDayStatement,
  lockDayStatement,
  moves,
  type mutableMembers,
  ordinaryMembers,
  ordinaryMoves,
  removeStatement,
} from '#src/payout/payout-statements.ts';

/** What may change after a payout was claimed. */
export type PayoutChanges = Partial<Pick<PayoutRow, (typeof mutableMembers)[number]>>;

const ordinary: ReadonlySet<string> = new Set(ordinaryMembers);

interface Moving {
  readonly moved: PayoutRow;
  /** Whether nothing but ordinary members change. */
  readonly isOrdinary: boolean;
  readonly event: OutboxRow | undefined;
}

/**
 * Every write of a payout. Each is one statement, and those of payouts that are under way at the same time share one: a
 * payout takes several writes, and their cost bounds how many can be made in a second.
 */
export class PayoutTable {
  readonly #database: Database;
  readonly #inserting = new WriteQueue((payouts: readonly PayoutRow[]) => this.#insertAll(payouts));
  readonly #moving = new WriteQueue((batch: readonly Moving[]) => this.#moveAll(batch), {
    keyOf: ({ moved }) => moved.id,
  });

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns false when the external_id is taken, and nothing was written */
  async insert(payout: PayoutRow): Promise<boolean> {
    return await this.#inserting.add(payout);
  }

  /**
   * Like `insert`, for an account with a limit per day (UTC): beyond it the payout needs approval. Who asks at the
   * same time waits, so that two never fill the same gap.
   *
   * @returns the payout as it was written, or null when the external_id is taken
   */
  async insertWithinDay(payout: PayoutRow, limit: number): Promise<PayoutRow | null> {
    const { environment, accountId, createdAt } = payout;
    const dayStartsAt = Date.UTC(createdAt.getUTCFullYear(), createdAt.getUTCMonth(), createdAt.getUTCDate());
    return await this.#database.transaction(async (tx) => {
      await tx.sql(lockDayStatement, [`${environment} ${accountId}`]);
      const day = [idLowerBound('payout', dayStartsAt), limit, new Date(dayStartsAt)];
      const written = [...day, ...draftArrays.parametersOf([payout])];
      const [row] = await tx.sql<Pick<PayoutRow, 'needsApproval'>>(insertWithinDayStatement, written);
      return row ? { ...payout, ...row } : null;
    });
  }

  /**
   * Takes one transition of the life cycle and publishes it: state, changes and event in one transaction.
   *
   * @returns the payout as it is then, or null when another process has changed it since it was read: nothing was written
   */
  async move(
    payout: PayoutRow,
    move: Move,
    changes: PayoutChanges,
    event?: (moved: PayoutRow) => OutboxRow,
  ): Promise<PayoutRow | null> {
    const moved = { ...payout, ...changes, state: nextState(payout.state, move), version: payout.version + 1 };
    return await this.#write(moved, changes, event?.(moved));
  }

  /** Changes what is known about a payout and leaves its state. @returns as `move` */
  async amend(payout: PayoutRow, changes: PayoutChanges): Promise<PayoutRow | null> {
    return await this.#write({ ...payout, ...changes, version: payout.version + 1 }, changes, undefined);
  }

  /** @returns false when another process has changed it since it was read: nothing was removed */
  async remove({ environment, accountId, id, version }: PayoutRow): Promise<boolean> {
    const rows = await this.#database.query(removeStatement, [environment, accountId, id, version]);
    return rows.length === 1;
  }

  /** Takes the payouts of an environment that are due, longest due first, for this process alone until `leaseUntil`. */
  async claimDue(environment: Environment, now: Date, leaseUntil: Date, limit: number): Promise<PayoutRow[]> {
    return await this.#database.query<PayoutRow>(claimStatement, [environment, now, leaseUntil, limit]);
  }

  /** The payout of an external_id in whatever state, visible or not. */
  async findByExternalId({
    environment,
    accountId,
    externalId,
  }: Pick<PayoutRow, 'environment' | 'accountId' | 'externalId'>): Promise<PayoutRow | undefined> {
    const key = [environment, accountId, externalId];
    const [payout] = await this.#database.query<PayoutRow>(findByExternalIdStatement, key);
    return payout;
  }

  async findById(id: string): Promise<PayoutRow | undefined> {
    const [payout] = await this.#database.query<PayoutRow>(findByIdStatement, [id]);
    return payout;
  }

  /** Takes live payouts of a provider that are to be asked about again, for this process alone until `leaseUntil`. */
  async claimRechecks(
    provider: string,
    now: Date,
    leaseUntil: Date,
    { limit, onlyReported }: { readonly limit: number; readonly onlyReported: boolean },
  ): Promise<PayoutRow[]> {
    const parameters = [provider, now, leaseUntil, limit];
    return await this.#database.query<PayoutRow>(claimRecheckStatement(onlyReported), parameters);
  }

  /** The live payout a provider knows under the end-to-end id of its payment. */
  async findByE2eId(provider: string, e2eId: string): Promise<PayoutRow | undefined> {
    const [payout] = await this.#database.query<PayoutRow>(findByE2eIdStatement, [provider, e2eId]);
    return payout;
  }

  async #write(moved: PayoutRow, changes: PayoutChanges, event: OutboxRow | undefined): Promise<PayoutRow | null> {
    const isOrdinary = Object.keys(changes).every((member) => ordinary.has(member));
    return (await this.#moving.add({ moved, isOrdinary, event })) ? moved : null;
  }

  async #insertAll(payouts: readonly PayoutRow[]): Promise<boolean[]> {
    const rows = await this.#database.query<{ id: string }>(
      insertStatement,
      draftArrays.parametersOf(payouts),
      'insert-payout',
    );
    const inserted = new Set(rows.map((row) => row.id));
    return payouts.map((payout) => inserted.has(payout.id));
  }

  async #moveAll(batch: readonly Moving[]): Promise<boolean[]> {
    const areOrdinary = batch.every(({ isOrdinary }) => isOrdinary);
    const { statement, arrays } = areOrdinary ? ordinaryMoves : moves;
    const events = batch.flatMap(({ event, moved: { id } }) => (event ? [{ ...event, about: id }] : []));
    const rows = await this.#database.query<{ id: string }>(
      statement,
      [...arrays.parametersOf(inLockOrder(batch)), ...outboxParameters(events)],
      areOrdinary ? 'move-payout' : 'change-payout',
    );
    const done = new Set(rows.map((row) => row.id));
    outboxCommitted(
      this.#database,
      batch.flatMap(({ event, moved: { id } }) => (event && done.has(id) ? [event] : [])),
    );
    return batch.map(({ moved }) => done.has(moved.id));
  }
}

/** Rows are locked in the order of their ids, so that batches of two processes never wait for each other in a circle. */
function inLockOrder(batch: readonly Moving[]): PayoutRow[] {
  return batch.map(({ moved }) => moved).sort((one, other) => (one.id < other.id ? -1 : 1));
}
