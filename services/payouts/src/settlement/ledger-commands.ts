import type { LedgerCommandOf, LedgerResult } from '@gateway/contracts/ledger';
import type { PayoutReturn, PayoutRow } from '#src/payout/payout-entity.ts';

/*
 * The ledger's commands about a payout. Each command follows from the record's unchanging members and is named by the
 * payout: however often and from wherever it is asked for, it is the same command, and decided once.
 */

export function debitCommand(payout: PayoutRow): LedgerCommandOf<'debit-payout'> {
  const { amount, fee } = payout;
  return { kind: 'debit-payout', id: `debit-payout:${payout.id}`, ...common(payout), amount, fee };
}

/** Of what was given back and is paid all the same; it settles the payout too, and is never refused for funds. */
export function redebitCommand(payout: PayoutRow): LedgerCommandOf<'redebit-payout'> {
  const { provider, amount, fee } = payout;
  return { kind: 'redebit-payout', id: `redebit-payout:${payout.id}`, ...common(payout), provider, amount, fee };
}

/** Ids of providers that can be part of a command's; others are left out for our own id of the return. */
const fitsCommandId = /^[A-Za-z0-9_.-]{1,58}$/;

type ReturnedPart = Pick<PayoutReturn, 'id' | 'returnId' | 'amount'>;

/** What a part that came back is called in the id of its command. */
export function returnName({ id, returnId }: Pick<ReturnedPart, 'id' | 'returnId'>): string {
  return id === undefined || fitsCommandId.test(returnId) ? returnId : id;
}

export function returnCommand(payout: PayoutRow, part: ReturnedPart): LedgerCommandOf<'return-payout'> {
  const { provider } = payout;
  const id = `return-payout:${payout.id}:${returnName(part)}`;
  return { kind: 'return-payout', id, ...common(payout), provider, amount: part.amount };
}

export function settleCommand(payout: PayoutRow): LedgerCommandOf<'settle-payout'> {
  const { amount, provider } = payout;
  return { kind: 'settle-payout', id: `settle-payout:${payout.id}`, ...common(payout), provider, amount };
}

/** Of what was debited again before `redebit-payout` was one command; one decided earlier stays as it is. */
export function resettleCommand(payout: PayoutRow): LedgerCommandOf<'settle-payout'> {
  return { ...settleCommand(payout), id: `settle-payout:${payout.id}:again` };
}

export function reverseCommand(payout: PayoutRow): LedgerCommandOf<'reverse-payout'> {
  const { amount, fee } = payout;
  return { kind: 'reverse-payout', id: `reverse-payout:${payout.id}`, ...common(payout), amount, fee };
}

function common({ environment, accountId, currency, id }: PayoutRow) {
  return { environment, accountId, currency, payoutId: id };
}

/** The ledger has decided otherwise on the same payout before. */
export function isDecidedOtherwise({ outcome, refusal }: LedgerResult): boolean {
  return outcome === 'refused' && refusal === 'invalid_state';
}

/**
 * For commands the ledger has no reason to refuse. It never changes its mind, so a refusal is a defect that an operator
 * has to look at; the payout stays where it is, visible, and nothing is concluded.
 *
 * @throws Error naming the refusal
 */
export function requireApplied({ commandId, outcome, refusal, field }: LedgerResult): void {
  if (outcome === 'applied') return;
  throw new Error(`the ledger answers ${commandId} with ${outcome}: ${refusal ?? field ?? 'no reason given'}`);
}
