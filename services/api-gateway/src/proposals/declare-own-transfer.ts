import { bookApprovedFees } from '@gateway/contracts/deposits';
import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import { ledgerCommand, treasuryAccountId, type LedgerCommandOf } from '@gateway/contracts/ledger';
import {
  type DeclaredLine,
  listLines,
  type ProviderLine,
  type ReconciliationException,
} from '@gateway/contracts/reconciler';
import type { Environment } from '@gateway/contracts/values';
import { type Askable, type Bus, callRpc, type LedgerCommandClient } from '@gateway/messaging';
import { type Currency, currencySchema } from '@gateway/money';
import { type Database, type Tx, violatedConstraint } from '@gateway/persistence';
import type { OwnTransferRequest } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { readProvider } from '#src/proposals/change-provider.ts';

const timeout = { timeoutMs: 4_000 };
/** A reference that is longer is no id of a payment. */
const e2eIdCharactersMax = 64;
/** How long the ledger is waited for; unanswered, it is asked the same again. */
const ledgerTimeoutMs = 4_000;

/** What an approval carries out. */
interface Wanted {
  readonly provider: string;
  readonly currency: Currency;
  readonly amount_cents: number;
  readonly line_id: string | null;
  readonly reference: string | null;
}

/**
 * Money of our own that came to an account at a provider or left it, for another operator to approve.
 *
 * @throws ValidationError for a provider that holds no live money, and for a line that is not there or is something else;
 *   DomainError INVALID_STATE while the same waits for another operator, and where its reference was booked
 */
export async function proposeOwnTransfer(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  { reason, provider, currency, amount_cents: amount, line_id: lineId = null, reference = null }: OwnTransferRequest,
): Promise<Approval> {
  const wanted: Wanted = { provider, currency, amount_cents: amount, line_id: lineId, reference };
  await requirePayments(bus, provider);
  if (lineId !== null) await requireFreeLine(bus, wanted, lineId);
  if (reference !== null) await requireNoBookedLine(bus, wanted, reference);
  const target = `live/${provider}/${currency}/${lineId ?? reference ?? ''}`;
  const subject = { kind: 'own-transfer.declare', environment: 'live', accountId: null, target } as const;
  const proposal = { ...subject, request: wanted, before: null, reason };
  const requireFirst = async () => {
    const first = await declaredFirst(database, target, reference);
    if (first) throw isDeclared(first);
  };
  await requireFirst();
  try {
    return await database.transaction(async (tx) => proposeApproval(tx, act, proposal));
  } catch (error) {
    const violated = violatedConstraint(error);
    if (violated !== 'approval_of_own_transfer' && violated !== 'approval_of_own_reference') throw error;
    await requireFirst();
    throw new DomainError('INVALID_STATE', 'the same transfer waits for another operator');
  }
}

type DeclaredFirst = Pick<Approval, 'id' | 'state'>;

/** A line is booked once however often it is declared. By its reference a transfer would be booked for each approval. */
async function declaredFirst(
  database: Database,
  target: string,
  reference: string | null,
): Promise<DeclaredFirst | undefined> {
  const [first] = await database.query<DeclaredFirst>(
    `select id, state from approval where kind = 'own-transfer.declare' and lower(target) = lower($1)
       and (state in ('PROPOSED', 'APPLYING') or ($2 and state = 'APPLIED'))
       and (request ->> 'reference' is not null) = $2
     order by id limit 1`,
    [target, reference !== null],
  );
  return first;
}

function isDeclared({ id, state }: DeclaredFirst): DomainError {
  const message = state === 'APPLIED' ? `was booked by ${id}` : `waits for another operator as ${id}`;
  return new DomainError('INVALID_STATE', `the same transfer ${message}`);
}

/**
 * The line that has the reference as its id may have been booked as a transfer of our own by itself.
 *
 * @param approvalId under which the transfer may have been booked, and given that line, by an attempt before this one
 * @throws DomainError INVALID_STATE
 */
async function requireNoBookedLine(
  bus: Askable,
  { provider, currency }: Wanted,
  reference: string,
  approvalId: string | null = null,
): Promise<void> {
  if (reference.length > e2eIdCharactersMax) return;
  const { lines } = await callRpc(bus, listLines, { limit: 200, provider, e2eId: reference }, timeout);
  const booked = lines.find(
    (line) =>
      line.currency === currency &&
      line.subject?.startsWith('line:own_transfer:') === true &&
      line.subject !== `line:own_transfer:${approvalId ?? ''}` &&
      line.state === 'matched',
  );
  if (booked)
    throw new DomainError('INVALID_STATE', `the line ${booked.lineKey} with this reference is booked already`);
}

async function requirePayments(bus: Askable, id: string): Promise<void> {
  const known = await readProvider(bus, { id, environment: 'live' }).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  if (known && known.kind !== 'exchange') return;
  throw new ValidationError([{ path: 'provider', message: 'is no live provider of payments' }]);
}

/** It stands alone, with that amount. */
async function requireFreeLine(bus: Askable, wanted: Wanted, lineId: string): Promise<void> {
  const line = await lineOf(bus, wanted, lineId);
  const refuse = (message: string) => new ValidationError([{ path: 'line_id', message }]);
  if (!line) throw refuse('is not the id of a line of this account');
  if (line.amount !== wanted.amount_cents) throw refuse('has another amount');
  if (!isFree(line)) throw refuse('is explained, or proposed as something else');
}

/**
 * The line was free when the transfer was proposed. What explains it by now has its money: booked as our own it would count
 * twice. A line that was given to this transfer shows that it was booked by an attempt before this one.
 *
 * @throws DomainError INVALID_STATE
 */
async function requireStillFree(bus: Askable, wanted: Wanted, lineId: string): Promise<void> {
  const line = await lineOf(bus, wanted, lineId);
  if (line?.subject === `line:own_transfer:${lineId}`) return;
  if (line?.amount === wanted.amount_cents && isFree(line)) return;
  throw new DomainError('INVALID_STATE', 'its line is explained by now, or proposed as something else');
}

async function lineOf(bus: Askable, { provider, currency }: Wanted, lineKey: string) {
  const { lines } = await callRpc(bus, listLines, { limit: 10, provider, lineKey }, timeout);
  return lines.find((line) => line.currency === currency);
}

function isFree({ state, subject, kind, lineKey }: ProviderLine): boolean {
  return (state === 'waiting' || state === 'unexplained') && subject === `line:${kind}:${lineKey}`;
}

interface Booking {
  readonly bus: Bus;
  readonly ledgerClient: LedgerCommandClient;
}

/** Booked by the ledger, once for the line, or once for the approval. The reconciler finds the line that it belongs to. */
export function ownTransferRules({ bus, ledgerClient }: Booking): ApprovalRules {
  const apply = async ({ id, request, target }: Approval) => {
    const wanted = request as unknown as Wanted;
    const { provider, currency, amount_cents: amount, line_id: lineId, reference } = wanted;
    if (lineId !== null) await requireStillFree(bus, wanted, lineId);
    if (reference !== null) await requireNoBookedLine(bus, wanted, reference, id);
    const command = {
      ...ownFunds({ environment: 'live', provider, currency, amount }),
      ...{ id: `own-funds:${lineId ?? id}`, lineId, reference },
    };
    await book(ledgerClient, command);
    const after = { ...request, command_id: command.id };
    return async (tx: Tx, act: OperatorAct) => {
      recordAudit(tx, act, { action: 'own-transfer.declare', target, before: null, after });
      return { outcome: after };
    };
  };
  return { apply };
}

type DeclaredException = Pick<ReconciliationException, 'environment' | 'provider' | 'currency'>;

/**
 * Books the line of an exception as what two operators declared it to be, once however often it is asked for.
 *
 * @throws DomainError INVALID_STATE where it is refused
 */
export async function bookDeclaredLine(
  { bus, ledgerClient }: Booking,
  { environment, provider, currency: name }: DeclaredException,
  { kind, lineId, amount }: DeclaredLine,
): Promise<void> {
  const currency = currencySchema.parse(name);
  if (kind === 'own_transfer') {
    const common = ownFunds({ environment, provider, currency, amount });
    await book(ledgerClient, { ...common, id: `own-funds:${lineId}`, lineId, reference: null });
    return;
  }
  const fee = { provider, currency, lineId, amount: -amount };
  const { booked } = await callRpc(bus, bookApprovedFees, { fees: [fee] }, { timeoutMs: ledgerTimeoutMs + 2_000 });
  if (booked.length === 0) throw new DomainError('INVALID_STATE', 'the ledger has refused the fee');
}

interface Moved {
  readonly environment: Environment;
  readonly provider: string;
  readonly currency: Currency;
  readonly amount: number;
}

function ownFunds(moved: Moved) {
  return { kind: 'own-funds', accountId: treasuryAccountId, ...moved } as const;
}

async function book(ledgerClient: LedgerCommandClient, command: LedgerCommandOf<'own-funds'>): Promise<void> {
  const { outcome, refusal } = await ledgerClient.request(ledgerCommand, command, { timeoutMs: ledgerTimeoutMs });
  if (outcome === 'applied') return;
  throw new DomainError('INVALID_STATE', `the ledger refused the transfer: ${refusal ?? outcome}`);
}
