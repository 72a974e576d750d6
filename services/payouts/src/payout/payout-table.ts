import type { Environment } from '@gateway/contracts/values';
import { idLowerBound } from '@gateway/money';
import { rememberedSince, WriteQueue, type Database, type OutboxRow } from '@gateway/persistence';
import { nextState, type Move } from '#src/payout/life-cycle.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import {
  change,
  claimRecheckStatement,
  claimStatement,
  draftParameters,
  findByE2eIdStatement,
  findByExternalIdStatement,
  findByIdStatement,
  findStatement,
  insertion,
  insertWithinDayStatement,
  lockDayStatement,
  mutableMembers,
  ordinaryChange,
  ordinaryMembers,
  providersWithRechecksStatement,
  removeStatement,
  unchangedStatement,
  versionParameters,
} from '#src/payout/payout-statements.ts';

/** What may change after a payout was claimed. */
export type PayoutChanges = Partial<Pick<PayoutRow, (typeof mutableMembers)[number]>>;

const ordinary: ReadonlySet<string> = new Set(ordinaryMembers);
/** What a payout changes only when something does not go the ordinary way. */
const others = mutableMembers.filter((member) => !ordinary.has(member));

/** Each payout is changed four times: what a busy process changes within this time shares a statement. */
const changePauseMs = 4;

interface Writing {
  /** The payout as it shall be. */
  readonly row: PayoutRow;
  readonly event?: OutboxRow | undefined;
  /** Whether nothing but ordinary members change. */
  readonly isOrdinary: boolean;
}

/**
 * Every write of a payout. Each is one statement, and those of payouts that are under way at the same time share one: a
 * payout takes several writes, and their cost bounds how many can be made in a second.
 */
export class PayoutTable {
  readonly #database: Database;
  readonly #onDue: ((dueAt: Date) => void) | undefined;
  readonly #inserting = new WriteQueue((payouts: readonly PayoutRow[]) => this.#insertAll(payouts));
  readonly #changing = new WriteQueue((batch: readonly Writing[]) => this.#changeAll(batch), {
    keyOf: ({ row }) => row.id,
    pauseMs: changePauseMs,
  });

  /** @param onDue hears when a payout that was written is due: its step may have nothing else to wait for */
  constructor(database: Database, onDue?: (dueAt: Date) => void) {
    this.#database = database;
    this.#onDue = onDue;
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
      const written = [...day, ...draftParameters(payout)];
      const [row] = await tx.sql<Pick<PayoutRow, 'needsApproval' | 'pendingReason'>>(insertWithinDayStatement, written);
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
    return await this.#change(payout, moved, event?.(moved));
  }

  /** Changes what is known about a payout and leaves its state. @returns as `move` */
  async amend(payout: PayoutRow, changes: PayoutChanges): Promise<PayoutRow | null> {
    return await this.#change(payout, { ...payout, ...changes, version: payout.version + 1 });
  }

  /** @returns false when another process has changed it since it was read: nothing was removed */
  async remove({ environment, accountId, id, version }: PayoutRow): Promise<boolean> {
    const key = [environment, accountId, id, version];
    const rows = await this.#database.query(removeStatement, key, 'remove-payout');
    return rows.length === 1;
  }

  /** Takes the payouts of an environment that are due, longest due first, for this process alone until `leaseUntil`. */
  async claimDue(environment: Environment, now: Date, leaseUntil: Date, limit: number): Promise<PayoutRow[]> {
    const parameters = [environment, now, leaseUntil, limit];
    return await this.#database.query<PayoutRow>(claimStatement, parameters, 'claim-due-payouts');
  }

  /** Those that no process has changed since they were read. */
  async unchanged(payouts: readonly PayoutRow[]): Promise<PayoutRow[]> {
    const parameters = versionParameters(payouts);
    const rows = await this.#database.query<{ id: string }>(unchangedStatement, parameters, 'unchanged-payouts');
    const ids = new Set(rows.map(({ id }) => id));
    return payouts.filter(({ id }) => ids.has(id));
  }

  async find({ environment, accountId, id }: Pick<PayoutRow, 'environment' | 'accountId' | 'id'>) {
    return await this.#findOne('find-payout', findStatement, [environment, accountId, id]);
  }

  /** The payout of an external_id in whatever state, visible or not. */
  async findByExternalId({
    environment,
    accountId,
    externalId,
  }: Pick<PayoutRow, 'environment' | 'accountId' | 'externalId'>): Promise<PayoutRow | undefined> {
    const key = [environment, accountId, externalId];
    return await this.#findOne('find-payout-by-external-id', findByExternalIdStatement, key);
  }

  async findById(id: string): Promise<PayoutRow | undefined> {
    return await this.#findOne('find-payout-by-id', findByIdStatement, [id]);
  }

  /** Those of the given providers that have payouts which are to be asked about again: one statement for all of them. */
  async providersWithRechecks(providers: readonly string[], now: Date): Promise<string[]> {
    const rows = await this.#database.query<{ provider: string }>(
      providersWithRechecksStatement,
      [providers, now],
      'providers-with-rechecks',
    );
    return rows.map(({ provider }) => provider);
  }

  /** Takes live payouts of a provider that are to be asked about again, for this process alone until `leaseUntil`. */
  async claimRechecks(
    provider: string,
    now: Date,
    leaseUntil: Date,
    { limit, onlyReported }: { readonly limit: number; readonly onlyReported: boolean },
  ): Promise<PayoutRow[]> {
    const parameters = [provider, now, leaseUntil, limit];
    const name = `claim-${onlyReported ? 'reported' : 'planned'}-rechecks`;
    return await this.#database.query<PayoutRow>(claimRecheckStatement(onlyReported), parameters, name);
  }

  /** The live payout a provider knows under the end-to-end id of its payment. */
  async findByE2eId(provider: string, e2eId: string): Promise<PayoutRow | undefined> {
    return await this.#findOne('find-payout-by-e2e-id', findByE2eIdStatement, [provider, e2eId]);
  }

  /** Since when this database has kept every change: it started, or took over from another one, then. */
  async rememberedSince(): Promise<Date> {
    return await rememberedSince(this.#database);
  }

  async #findOne(name: string, statement: string, parameters: readonly string[]): Promise<PayoutRow | undefined> {
    const [payout] = await this.#database.query<PayoutRow>(statement, parameters, name);
    return payout;
  }

  async #change(before: PayoutRow, row: PayoutRow, event?: OutboxRow): Promise<PayoutRow | null> {
    const isOrdinary = others.every((member) => row[member] === before[member]);
    if (!(await this.#changing.add({ row, event, isOrdinary }))) return null;
    if (row.dueAt) this.#onDue?.(row.dueAt);
    return row;
  }

  async #insertAll(payouts: readonly PayoutRow[]): Promise<boolean[]> {
    return await insertion.write(
      this.#database,
      payouts.map((row) => ({ row })),
    );
  }

  async #changeAll(batch: readonly Writing[]): Promise<boolean[]> {
    const statement = batch.every(({ isOrdinary }) => isOrdinary) ? ordinaryChange : change;
    const inLockOrder = [...batch].sort(byId);
    const written = await statement.write(this.#database, inLockOrder);
    const done = new Set(inLockOrder.filter((_, index) => written[index]));
    return batch.map((writing) => done.has(writing));
  }
}

/** Rows are locked in the order of their ids, so that batches of two processes never wait for each other in a circle. */
function byId({ row: one }: Writing, { row: other }: Writing): number {
  return one.id < other.id ? -1 : 1;
}
