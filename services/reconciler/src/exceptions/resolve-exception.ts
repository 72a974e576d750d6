import { DomainError, ValidationError } from '@gateway/contracts/errors';
import { statementLineIdSchema } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import {
  declaredLine,
  type proposeResolution as proposeContract,
  type ReconciliationException,
  type reopenException as reopenContract,
  type Resolution,
  type resolveException as resolveContract,
} from '@gateway/contracts/reconciler';
import { type Database, queriesIn, type Tx } from '@gateway/persistence';
import { readException } from '#src/exceptions/exception-rows.ts';
import { feeOfException, type ProviderFeesDependencies } from '#src/lines/provider-fees.ts';
import {
  approveResolution,
  proposeResolution,
  rejectResolution,
  revokeResolution,
} from '#src/matching/decide-exception.ts';
import { pinLine } from '#src/matching/items-arrived.ts';
import { lineOfSubject, subjectOfLine } from '#src/matching/kinds.ts';
import { lockMatching } from '#src/matching/lock-matching.ts';

interface Dependencies {
  readonly database: Database;
  readonly now: () => Date;
}

export interface ResolvingDependencies extends Dependencies {
  readonly bookFees: ProviderFeesDependencies['bookFees'];
}

/** @throws DomainError, ValidationError, NotFoundError as the contract says */
export async function propose(
  { database, now }: Dependencies,
  { id, approvalId, resolution, proposedBy }: RequestOf<typeof proposeContract>,
): Promise<ReplyOf<typeof proposeContract>> {
  return await database.transaction(async (tx) => {
    const { exception } = await locked(tx, id);
    await planOf(tx, exception, resolution);
    await rejectResolution(tx, { id });
    const decision = { id, operator: proposedBy, now: now() };
    if (!(await proposeResolution(tx, decision, { ...resolution, approvalId }))) throw notOpen(exception);
    return await readException(queriesIn(tx), id);
  });
}

/**
 * The proposal that is approved counts, whatever was shown until then. All of it is one transaction, under the lock of
 * matching.
 *
 * @throws DomainError, ValidationError, NotFoundError as the contract says
 */
export async function resolve(
  { database, now, bookFees }: ResolvingDependencies,
  { id, approvalId, resolution, proposedBy, approvedBy, seen }: RequestOf<typeof resolveContract>,
): Promise<ReplyOf<typeof resolveContract>> {
  await requireNoPrice({ database, bookFees }, id);
  return await database.transaction(async (tx) => {
    const { exception, approvalId: earlier } = await locked(tx, id);
    if (exception.state === 'RESOLVED' && earlier === approvalId) return { exception };
    const isSame =
      exception.lineAmount === seen.lineAmount &&
      exception.recordAmount === seen.recordAmount &&
      exception.ledgerAmount === seen.ledgerAmount;
    if (!isSame) throw new DomainError('INVALID_STATE', 'its sides say something else by now; propose it again');
    const pin = await planOf(tx, exception, resolution);
    await rejectResolution(tx, { id });
    const proposed = { id, operator: proposedBy, now: now() };
    await proposeResolution(tx, proposed, { ...resolution, approvalId });
    const approved = await approveResolution(tx, { id, operator: approvedBy, now: now() });
    if (!approved) throw notOpen(exception);
    if (pin) await pinLine(tx, { ...exception, lineKey: pin.lineKey }, pin.subject, now());
    return { exception: (await readException(queriesIn(tx), id)).exception };
  });
}

/**
 * A fee that has a price by now, or that was asked for when it had one, is booked by it: then people have nothing to decide,
 * and one fee is never both booked by its price and resolved.
 *
 * @throws DomainError INVALID_STATE
 */
async function requireNoPrice({ database, bookFees }: Omit<ResolvingDependencies, 'now'>, id: string): Promise<void> {
  const fee = await feeOfException(database, id);
  if (!fee) return;
  const { booked } = await bookFees([fee]);
  if (booked.length > 0) throw new DomainError('INVALID_STATE', 'the fee is booked by the price of its provider');
}

/** @throws NotFoundError */
export async function reopen(
  { database, now }: Dependencies,
  { id, approvalId }: RequestOf<typeof reopenContract>,
): Promise<ReplyOf<typeof reopenContract>> {
  return await database.transaction(async (tx) => {
    const { exception, approvalId: current } = await locked(tx, id);
    if (current !== approvalId) return { exception };
    // What has changed matches already stays: nothing of it can have been refused.
    if (exception.proposal?.action === 'match' && exception.state === 'RESOLVED') return { exception };
    if (exception.state === 'PROPOSED') await rejectResolution(tx, { id });
    if (exception.state === 'RESOLVED') await revokeResolution(tx, { id });
    const declared = exception.proposal ? declaredLine(exception.proposal, exception) : undefined;
    if (exception.state === 'RESOLVED' && declared) {
      await pinLine(tx, { ...exception, lineKey: declared.lineId }, null, now());
    }
    return { exception: (await readException(queriesIn(tx), id)).exception };
  });
}

/** Read under the lock of matching, so that what is decided is what is there. @throws NotFoundError */
async function locked(tx: Tx, id: string) {
  const { exception } = await readException(queriesIn(tx), id);
  await lockMatching(tx, [exception]);
  return await readException(queriesIn(tx), id);
}

function notOpen({ state }: ReconciliationException): DomainError {
  return new DomainError('INVALID_STATE', `the exception is ${state}`);
}

interface Pin {
  readonly lineKey: string;
  readonly subject: string;
}

/**
 * Which line is given to which record, where the action is `match`.
 *
 * @throws DomainError INVALID_STATE where the action does not fit; ValidationError for a `with` that names nothing
 */
async function planOf(tx: Tx, exception: ReconciliationException, resolution: Resolution): Promise<Pin | undefined> {
  if (exception.state !== 'OPEN' && exception.state !== 'PROPOSED') throw notOpen(exception);
  switch (resolution.action) {
    case 'declare':
      return await declaredPin(tx, exception, resolution);
    case 'adjust':
      if (exception.subject.startsWith(subjectOfLine('provider_fee', ''))) {
        throw new DomainError('INVALID_STATE', 'what a provider takes for itself concerns no merchant; declare it');
      }
      return undefined;
    case 'refund':
      throw new DomainError('INVALID_STATE', 'money without a record is sent back at its provider; declare it then');
    case 'foreign':
      if (await isLineAlone(tx, exception, exception.subject)) return undefined;
      throw new DomainError(
        'INVALID_STATE',
        'only a line that no record and no entry of the ledger has can be foreign',
      );
    case 'match':
      return await pinOf(tx, exception, resolution.with ?? '');
  }
}

/** A line that is booked as what it is declared to be: it is matched with what the ledger books by its key. */
async function declaredPin(
  tx: Tx,
  exception: ReconciliationException,
  resolution: Resolution,
): Promise<Pin | undefined> {
  const declared = declaredLine(resolution, exception);
  if (!declared && resolution.with === null) return undefined;
  if (!declared || !(await isLineAlone(tx, exception, exception.subject))) {
    throw new DomainError('INVALID_STATE', 'only a line that stands alone can be booked');
  }
  if (!statementLineIdSchema.safeParse(declared.lineId).success)
    throw notThere('cannot be booked by the id of the line');
  const subject = subjectOfLine(declared.kind, declared.lineId);
  return subject === exception.subject ? undefined : { lineKey: declared.lineId, subject };
}

/** What is booked by its line, as a transfer of our own, is a record as long as it has none. */
async function pinOf(tx: Tx, exception: ReconciliationException, other: string): Promise<Pin> {
  const own = await matchOf(tx, exception, exception.subject);
  const ownLine = lineOfSubject(exception.subject);
  if (own && own.pItems > 0 && ownLine !== undefined) {
    if (!(await isLineAlone(tx, exception, exception.subject))) throw takesNoOther();
    const match = await matchOf(tx, exception, other);
    if (!match || match.pItems > 0 || (lineOfSubject(other) !== undefined && match.lItems === 0)) {
      throw notThere('is not the subject of a record that has no line');
    }
    requireAmount(match.rAmount || match.lAmount, exception.lineAmount);
    return { lineKey: ownLine, subject: other };
  }
  const [line] = await tx.sql<{ subject: string; amount: number }>(
    `select subject, amount from line
     where (environment, provider, currency, line_key) = ('live', $1, $2, $3) and subject is not null`,
    [exception.provider, exception.currency, other],
  );
  if (!line || !(await isLineAlone(tx, exception, line.subject)))
    throw notThere('is not the key of a line without record');
  if (own?.pItems !== 0) throw takesNoOther();
  requireAmount(line.amount, exception.recordAmount || exception.ledgerAmount);
  return { lineKey: other, subject: exception.subject };
}

/** Without tolerance: what differs stays an exception, whichever record the line is given to. */
function requireAmount(amount: number, wanted: number): void {
  if (amount !== wanted) throw notThere('has another amount');
}

function notThere(message: string): ValidationError {
  return new ValidationError([{ path: 'with', message }]);
}

function takesNoOther(): DomainError {
  return new DomainError('INVALID_STATE', 'a line and a record are matched that have nothing else');
}

interface FoundMatch {
  readonly pItems: number;
  readonly rItems: number;
  readonly lItems: number;
  readonly rAmount: number;
  readonly lAmount: number;
}

async function matchOf(
  tx: Tx,
  { environment, provider, currency }: ReconciliationException,
  subject: string,
): Promise<FoundMatch | undefined> {
  const [match] = await tx.sql<FoundMatch>(
    `select p_items as "pItems", r_items as "rItems", l_items as "lItems", r_amount as "rAmount", l_amount as "lAmount"
     from match where (environment, provider, currency, subject) = ($1, $2, $3, $4)`,
    [environment, provider, currency, subject],
  );
  return match;
}

async function isLineAlone(tx: Tx, exception: ReconciliationException, subject: string): Promise<boolean> {
  const match = await matchOf(tx, exception, subject);
  return lineOfSubject(subject) !== undefined && match?.pItems === 1 && match.rItems === 0 && match.lItems === 0;
}
