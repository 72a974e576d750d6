import { DepositCreated, type Deposit } from '@gateway/contracts/deposits';
import { unixSeconds } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import { outboxRow, type OutboxRow } from '@gateway/persistence';
import type { Charge } from '@gateway/providers';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import { nextState } from '#src/deposit/life-cycle.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { CreationUnderWayError, ProviderUnavailableError } from '#src/errors.ts';

/**
 * A deposit on its way to its charge. Its record is claimed, CREATING and invisible, before its provider is sent anything:
 * that is what a sweeper goes on from when this process dies. Where nothing is sent there is nothing to go on from, and
 * the record is written once, complete.
 */
export class Creation {
  readonly #dependencies: ChargeDependencies;
  #deposit: DepositRow;
  #record: 'unwritten' | 'claimed' | 'taken';

  /** @param isClaimed for a record that is written already */
  constructor(dependencies: ChargeDependencies, deposit: DepositRow, { isClaimed = false } = {}) {
    this.#dependencies = dependencies;
    this.#deposit = deposit;
    this.#record = isClaimed ? 'claimed' : 'unwritten';
  }

  get deposit(): DepositRow {
    return this.#deposit;
  }

  /** True when another record has the external_id; then nothing was written. */
  get isTaken(): boolean {
    return this.#record === 'taken';
  }

  /** Writes the record before its provider is sent anything. False when the external_id is taken. */
  async claim(): Promise<boolean> {
    if (this.#record === 'unwritten') await this.#insert(this.#deposit);
    return this.#record === 'claimed';
  }

  /** @throws ProviderUnavailableError when another process has given the creation up */
  async giveTo(provider: string): Promise<void> {
    const { deposits } = this.#dependencies;
    if (this.#record === 'claimed' && !(await deposits.reassign(this.#deposit, provider))) {
      throw new ProviderUnavailableError();
    }
    this.#deposit = { ...this.#deposit, provider };
  }

  /**
   * Writes the record with its charge, and the event. Answers the deposit, as another process has completed it where one
   * has, or null when the external_id is taken.
   *
   * @throws CreationUnderWayError when another process has it at another provider by now
   * @throws ProviderUnavailableError when another process has given it up
   */
  async complete(charge: Charge): Promise<Deposit | null> {
    const { deposits, database, now } = this.#dependencies;
    const opened = withCharge(this.#dependencies, this.#deposit, charge);
    const record = toDeposit(opened);
    const event = createdEvent(record, now());
    if (this.#record === 'unwritten') return (await this.#insert(opened, event)) ? record : null;
    if (await deposits.open(opened, event)) return record;
    const { environment, accountId, id } = opened;
    const row = await database.reader().findOne(DepositEntity, { environment, accountId, id });
    if (!row) throw new ProviderUnavailableError();
    if (row.state === 'CREATING') throw new CreationUnderWayError();
    return toDeposit(row);
  }

  /**
   * Frees the external_id, also after an unknown outcome: if the provider has the charge, its code was never shown to a
   * payer, so it cannot be paid.
   */
  async abandon(): Promise<void> {
    if (this.#record === 'claimed') await this.#dependencies.deposits.abandon(this.#deposit);
  }

  async #insert(row: DepositRow, event?: OutboxRow): Promise<boolean> {
    const isWritten = await this.#dependencies.deposits.insert(row, event);
    this.#record = isWritten ? 'claimed' : 'taken';
    return isWritten;
  }
}

/** The record with its charge, in the state it has from then on. */
function withCharge({ qrUrlOf, pageUrlOf }: ChargeDependencies, deposit: DepositRow, charge: Charge): DepositRow {
  return {
    ...deposit,
    state: nextState(deposit.state, 'opened'),
    creationDueAt: null,
    providerRef: charge.providerRef,
    emv: charge.kind === 'code' ? charge.emv : null,
    qrUrl: charge.kind === 'code' ? qrUrlOf(deposit) : null,
    clabe: charge.kind === 'account' ? (charge.account ?? null) : null,
    beneficiary: charge.kind === 'account' ? (charge.beneficiary ?? null) : null,
    redirectUrl: pageUrlOf(deposit),
  };
}

/** The event of a record that has its charge, for the statement that writes both. */
export function createdEvent(deposit: Deposit, now: Date): OutboxRow {
  return outboxRow(DepositCreated, { id: newId('event', now.getTime()), occurredAt: unixSeconds(now), deposit });
}
