import { DepositCreated, type Deposit } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import type { Charge, ChargeOutcome } from '@gateway/providers';
import { outboxRow, type OutboxRow } from '@gateway/persistence';
import { measureProviderCall } from '@gateway/provider-feeds';
import { chargeInputOf } from '#src/deposit/charge-input.ts';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import { follow } from '#src/deposit/life-cycle.ts';
import { toDeposit, unixSeconds } from '#src/deposit/to-deposit.ts';
import { CreationUnderWayError, ProviderUnavailableError } from '#src/errors.ts';
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
async function reassign({ deposits }: ChargeDependencies, deposit: DepositRow, next: ChargeRoute): Promise<DepositRow> {
  const provider = next.provider.id;
  if (!(await deposits.reassign(deposit, provider))) throw new ProviderUnavailableError();
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

/** The event of a record that has its charge, for the statement that writes both. */
export function createdEvent(deposit: Deposit, now: Date): OutboxRow {
  return outboxRow(DepositCreated, { id: newId('event', now.getTime()), occurredAt: unixSeconds(now), deposit });
}

/**
 * The deposit with its charge, or as another process has completed it; null when the record is gone.
 *
 * @throws CreationUnderWayError when another process has it at another provider by now
 */
async function recordCharge(
  dependencies: ChargeDependencies,
  deposit: DepositRow,
  charge: Charge,
): Promise<Deposit | null> {
  const opened = withCharge(dependencies, deposit, charge);
  const record = toDeposit(opened);
  if (await dependencies.deposits.open(opened, createdEvent(record, dependencies.now()))) return record;
  const { environment, accountId, id } = deposit;
  const row = await dependencies.database.reader().findOne(DepositEntity, { environment, accountId, id });
  if (row?.state === 'CREATING') throw new CreationUnderWayError();
  return row && toDeposit(row);
}

/**
 * Frees the external_id, also after an unknown outcome: if the provider has the charge, its code was never shown to a
 * payer, so it cannot be paid.
 */
async function abandon(
  { deposits, logger }: ChargeDependencies,
  deposit: DepositRow,
  outcome: Exclude<ChargeOutcome, { kind: 'accepted' }>,
): Promise<null> {
  const cause = outcome.kind === 'refused' ? outcome.message : outcome.cause;
  const { id: depositId, provider } = deposit;
  logger.warn({ depositId, provider, outcome: outcome.kind, cause }, 'charge could not be opened');
  await deposits.abandon(deposit);
  return null;
}
