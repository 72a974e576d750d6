import type { findContestedPayment as contract, OperatorDeposit } from '@gateway/contracts/deposits';
import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database, Tx } from '@gateway/persistence';
import { depositsPaidWith } from '#src/deposit/read-deposits.ts';
import { isReopened } from '#src/dispute/apply-dispute-event.ts';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { DisputeEntity, type DisputeRow } from '#src/dispute/dispute-entity.ts';
import { InvalidStateError } from '#src/errors.ts';
import { readOperatorDeposit } from '#src/payment/operator-deposits.ts';
import { PaymentEntity, TransferEntity } from '#src/payment/payment-entity.ts';
import { routeOf } from '#src/routing/charge-routes.ts';

type Reader = ReturnType<Database['reader']>;
export type Entered = RequestOf<typeof contract>;

interface Transfer {
  readonly provider: string;
  readonly e2eId: string;
  /** Minor units. */
  readonly amount: number;
}

export interface ContestedPayment extends Transfer {
  readonly deposit: OperatorDeposit;
}

/** What a dispute that is entered by hand would be about; nothing changes. @throws as `requireEnterable` */
export async function findContestedPayment(
  dependencies: DisputeDependencies,
  entered: Entered,
): Promise<ReplyOf<typeof contract>> {
  const contested = await contestedPayment(dependencies.database.reader(), entered);
  await requireEnterable(dependencies, entered, contested);
  const { deposit, provider, e2eId } = contested;
  const { accountId, id: depositId, currency } = deposit;
  return { accountId, depositId, provider, e2eId, currency };
}

/** @throws NotFoundError; ValidationError for one of the other environment; InvalidStateError before it is credited */
export async function contestedPayment(em: Reader, entered: Entered): Promise<ContestedPayment> {
  const deposit = await depositOf(em, entered);
  const { environment, accountId, id: depositId, status } = deposit;
  if (environment !== entered.environment) throw refused(entered, `is of the ${environment} environment`);
  const ofDeposit = { environment, accountId, depositId };
  const [payment] = await em.find(PaymentEntity, { ...ofDeposit, state: 'CREDITED' });
  if (!payment) throw new InvalidStateError(status);
  const transfers = await em.find(TransferEntity, ofDeposit);
  return { deposit, ...transferOf(transfers.length === 0 ? [payment] : transfers, entered.e2eId) };
}

async function depositOf(em: Reader, entered: Entered): Promise<OperatorDeposit> {
  const { depositId, e2eId } = entered;
  const [id, ...others] = depositId === undefined ? await depositsPaidWith(em, e2eId ?? '') : [depositId];
  if (id === undefined) throw new NotFoundError('payment');
  if (others.length > 0) throw refused(entered, 'is of several payments; name the deposit too');
  return await readOperatorDeposit(em, id);
}

interface Named extends Transfer {
  readonly trackingKey?: string | null | undefined;
}

function transferOf(transfers: readonly Named[], wanted: string | undefined): Transfer {
  const refuse = (message: string) => new ValidationError([{ path: 'e2e_id', message }]);
  const named = transfers.filter(
    ({ e2eId, trackingKey }) => wanted === undefined || e2eId === wanted || trackingKey === wanted,
  );
  const [transfer, ...others] = named;
  if (!transfer) throw refuse('is no payment of this deposit');
  if (others.length > 0) throw refuse('is required: the deposit was paid in several transfers');
  const { provider, e2eId, amount } = transfer;
  return { provider, e2eId, amount };
}

function refused({ depositId }: Entered, message: string): ValidationError {
  return new ValidationError([{ path: depositId === undefined ? 'e2e_id' : 'deposit_id', message }]);
}

/**
 * What has to hold before people enter a dispute. In test mode any provider will do: there it is a rehearsal.
 *
 * @throws DomainError INVALID_STATE where the provider reports its disputes, or the dispute is on record; as
 *   `requireContestable`
 */
export async function requireEnterable(
  { database, chargeRoutes }: DisputeDependencies,
  entered: Entered,
  contested: ContestedPayment,
): Promise<void> {
  const { environment, disputeRef, openedAt } = entered;
  const { provider, e2eId } = contested;
  const adapter = routeOf(chargeRoutes, environment, provider)?.provider;
  if (environment === 'live' && adapter?.capabilities.disputes) {
    throw new DomainError('INVALID_STATE', `${provider} reports its disputes itself`);
  }
  const em = database.reader();
  const [known] = await em.find(
    DisputeEntity,
    { environment, provider, disputeRef },
    { orderBy: { round: 'desc' }, limit: 1 },
  );
  const opening = { type: 'dispute.opened', at: new Date(openedAt) } as const;
  if (known && (known.e2eId !== e2eId || !isReopened(known, opening))) throw onRecord(known);
  await requireContestable(em, contested, entered.amount);
}

interface Left {
  readonly deposit: Pick<OperatorDeposit, 'environment' | 'accountId' | 'id' | 'amount' | 'refunded'>;
  readonly e2eId: string;
  /** Of the transfer, in minor units. */
  readonly amount: number;
}

/**
 * No more is contested than has not gone back, and no payment twice at once.
 *
 * @throws ValidationError naming `amount_cents`; DomainError INVALID_STATE where nothing is left, and while another dispute
 *   of the payment is undecided
 */
export async function requireContestable(
  em: Pick<Tx['em'], 'find'>,
  { deposit, e2eId, amount: transferred }: Left,
  amount: number,
): Promise<void> {
  const { environment, accountId, id: depositId } = deposit;
  const disputes = await em.find(DisputeEntity, { environment, accountId, depositId });
  const undecided = disputes.find((each) => each.e2eId === e2eId && each.state !== 'WON' && each.state !== 'LOST');
  if (undecided) throw onRecord(undecided);
  // What is lost and not covered yet has gone back too.
  const uncovered = disputes.reduce((sum, { state, shortfall }) => sum + (state === 'LOST' ? shortfall : 0), 0);
  const left = Math.min(deposit.amount - deposit.refunded - uncovered, transferred);
  if (left <= 0) throw new InvalidStateError('given back');
  if (amount > left) throw new ValidationError([{ path: 'amount_cents', message: `must be at most ${left}` }]);
}

export function onRecord({ id }: Pick<DisputeRow, 'id'>): DomainError {
  return new DomainError('INVALID_STATE', `a dispute of this reference or payment is on record: ${id}`);
}
