import type { MoneyRecord } from '@gateway/contracts/ledger';
import type { ItemKind } from '@gateway/contracts/reconciler';
import type { Environment } from '@gateway/contracts/values';
import type { Fact } from '#src/matching/items.ts';
import { subjectOfRecord } from '#src/matching/kinds.ts';

type Names = Pick<Fact, 'e2eId' | 'returnId' | 'ourRef'>;

interface Movement extends Names {
  /** Where it is not about the provider, the account of ours that it is about. */
  readonly provider?: string;
  readonly kind: ItemKind;
  /** The record, or a part of it. */
  readonly name: string;
  /** Of what is added up with others, the record whose match they are. */
  readonly of?: string;
  readonly amount: number;
}

const unnamed: Names = { e2eId: null, returnId: null, ourRef: null };

/**
 * What a record says has moved at its provider. It says so before the ledger books it where the money moves first, and is
 * silent where the ledger decides first: what a record has not reached yet is no movement.
 *
 * @param readAtMs before it was asked for: of two readings of a record the later one counts
 */
export function factsOfRecord(environment: Environment, record: MoneyRecord, readAtMs: number): Fact[] {
  const { provider, currency, accountId, id, atMs } = record;
  return [...movementsOf(record), ...heldOf(record)].map(({ kind, name, of = name, amount, ...movement }) => {
    const [key, subject] = [subjectOfRecord(kind, name), subjectOfRecord(kind, of)];
    return {
      ...{ environment, side: 'R', key, subject, kind, provider, currency, amount, fee: null, ...movement },
      ...{ accountId, recordId: id, commandId: null, sequence: null, hash: null, counterparty: null },
      occurredAt: new Date(atMs),
      revision: readAtMs,
    };
  });
}

/**
 * The record of a dispute that was won after all keeps how much came back of what had gone to the payer. Those that were won
 * before records kept it say nothing of either: the ledger gives back whole what it had taken, so its decision has both.
 */
export function factsOfOverturns(booked: readonly Fact[], records: readonly MoneyRecord[], readAtMs: number): Fact[] {
  const isWon = ({ kind, state }: MoneyRecord) => kind === 'dispute' && state === 'WON';
  const won = new Map(records.filter(isWon).map((dispute) => [dispute.id, dispute]));
  return booked
    .filter(({ kind }) => kind === 'dispute_overturn')
    .flatMap((fact) => {
      const dispute = won.get(fact.recordId ?? '');
      if (dispute?.overturned !== null) return [];
      return factsOfRecord(fact.environment, { ...dispute, overturned: fact.amount }, readAtMs);
    });
}

function movementsOf(record: MoneyRecord): Movement[] {
  const { kind, id, state, amount, e2eId, returnId, reference: ourRef } = record;
  switch (kind) {
    case 'payment':
      return paymentMovements(record);
    case 'refund':
      return state === 'RESERVING' || state === 'RELEASING'
        ? []
        : [{ kind, name: id, amount: refunded(state, amount), ...unnamed, returnId, ourRef }];
    case 'orphan_receipt':
      return [
        { ...unnamed, kind: 'payment', name: id, amount, e2eId },
        ...(state === 'BOOKING' || state === 'RETURNED'
          ? [{ ...unnamed, kind: 'refund' as const, name: id, amount: -amount, returnId, ourRef }]
          : []),
      ];
    case 'dispute':
      return disputeMovements(record);
    case 'payout':
      return payoutMovements(record);
  }
}

/** What was paid by such a record is nothing: it was refused, or its row is gone. */
const unpaidStates = new Set(['REFUSED', 'MISSING']);

/**
 * A payment of several transfers has a line for each of them. What its deposit says was paid, which merchants read, is more or
 * less than the payment where one of the rows was changed or is gone.
 */
function paymentMovements({ id, state, amount, e2eId, deposited, transfers }: MoneyRecord): Movement[] {
  const isUnpaid = unpaidStates.has(state);
  const transfer = (name: string, of: { readonly amount: number; readonly e2eId: string | null }): Movement => ({
    ...{ ...unnamed, kind: 'payment', name, of: id, amount: isUnpaid ? 0 : of.amount, e2eId: of.e2eId },
  });
  const before = transfers.reduce((sum, each) => sum + each.amount, 0);
  const movements = [
    transfer(id, { amount: amount - before, e2eId }),
    ...transfers.map((each, index) => transfer(`${id}:${index + 1}`, each)),
  ];
  const paid = isUnpaid ? 0 : amount;
  if ((state === 'CREDITED' || state === 'MISSING') && deposited !== null && deposited !== paid) {
    movements.push({ ...unnamed, kind: 'payment', name: `${id}:deposit`, amount: deposited - paid });
  }
  return movements;
}

/** What went to the payer was lost, whatever came back of it later. */
function disputeMovements({ id, state, e2eId, reference: ourRef, returned, overturned }: MoneyRecord): Movement[] {
  const lost = (amount: number): Movement => ({
    ...{ ...unnamed, kind: 'dispute_return', name: id, amount: -amount, e2eId, ourRef },
  });
  if (state === 'LOST') return [lost(returned)];
  if (state !== 'WON' || overturned === null) return [];
  return [lost(overturned), { ...unnamed, kind: 'dispute_overturn', name: id, amount: overturned, e2eId, ourRef }];
}

/** One that is to be reversed has been debited; one that is debited again has not, until it is DONE. */
function refunded(state: string, amount: number): number {
  return state === 'FAILED' || state === 'REDEBITING' ? 0 : -amount;
}

/** Money that is debited for a payout and has not left yet. What a payout is about to be says nothing yet. */
const inTransit = new Set(['PENDING', 'SENDING', 'PROCESSING', 'SETTLING', 'REVERSING']);
const throughTransit = new Set(['PAID', 'FAILED', 'REJECTED', 'REDEBITING']);

/** What a record says that accounts of ours which have to drain hold for it, and what its deposit says has gone back. */
function heldOf({ kind, id, state, amount, depositId, backByRefunds }: MoneyRecord): Movement[] {
  const clearing = (provider: string, isHeld: boolean): Movement[] => [
    { ...unnamed, kind: 'clearing', provider, name: id, amount: isHeld ? amount : 0 },
  ];
  switch (kind) {
    case 'payout':
      return inTransit.has(state) || throughTransit.has(state) ? clearing('transit:payouts', inTransit.has(state)) : [];
    case 'dispute':
      return state === 'OPENING' ? [] : clearing('blocked', state === 'OPEN' || state === 'UNDER_ANALYSIS');
    case 'orphan_receipt':
      return clearing('suspense', state !== 'RETURNED');
    case 'payment':
    case 'refund':
      if (depositId === null || backByRefunds === null) return [];
      return [{ ...unnamed, kind: 'refunded', name: depositId, amount: -backByRefunds }];
  }
}

const paidStates = new Set(['SETTLING', 'REDEBITING', 'PAID']);
/** What such a payout has moved is nothing: a statement may have it with both signs. */
const undoneStates = new Set(['FAILED', 'REJECTED']);

function payoutMovements({ id, state, amount, e2eId, reference: ourRef, returned, returns }: MoneyRecord): Movement[] {
  const movements: Movement[] = [];
  if (paidStates.has(state) || undoneStates.has(state)) {
    const moved = paidStates.has(state) ? -amount : 0;
    movements.push({ ...unnamed, kind: 'payout', name: id, amount: moved, e2eId, ourRef });
  }
  let left = returned;
  for (const part of returns) {
    if (!part.isCredited) continue;
    left -= part.amount;
    movements.push({
      ...unnamed,
      kind: 'payout_return',
      name: `${id}:${part.name}`,
      amount: part.amount,
      returnId: part.returnId,
    });
  }
  // What the record counts as returned is more or less than its parts.
  if (left !== 0) movements.push({ ...unnamed, kind: 'payout_return', name: `${id}:uncounted`, amount: left });
  return movements;
}
