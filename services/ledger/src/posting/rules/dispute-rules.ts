import { available, blocked, providerAccount, system } from '#src/posting/posting.ts';
import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/**
 * available → blocked, as far as the balance goes; the rest is a shortfall that later credits pay. At most what has not
 * gone back to the payer another way.
 */
export const blockDispute: Rule<'block-dispute'> = (command, view) => {
  const deposit = referenceOf(view, 'deposit', command.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (command.amount > deposit.amount) return refuse('exceeds_reference');
  if (view.reference(command.disputeId)) return refuse('invalid_state');
  const due = Math.min(command.amount, Math.max(deposit.amount - deposit.committed, 0));
  const covered = Math.min(due, view.bucketsOf(command.accountId, command.currency).available);
  return {
    postings: [
      available(command, -covered, { type: 'MED_BLOCK', refType: 'dispute', refId: command.disputeId }),
      blocked(command, covered),
    ],
    references: [
      { ...deposit, committed: deposit.committed + due },
      {
        kind: 'dispute',
        id: command.disputeId,
        accountId: command.accountId,
        currency: command.currency,
        amount: due,
        depositId: deposit.id,
        state: 'open',
        blocked: covered,
        shortfall: due - covered,
        captureUntil: command.captureUntil,
        returned: 0,
        provider: null,
      },
    ],
    amounts: { blocked: covered },
  };
};

/**
 * A refund that had reduced what a dispute could claim has failed: the difference is due now. It is taken from
 * available as far as the balance goes, and from later credits while the dispute's time lasts. For a lost dispute it
 * goes to the payer. Nothing is posted where the dispute was won or covers the whole amount already.
 */
export const extendDispute: Rule<'extend-dispute'> = (command, view, atMs) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  const deposit = referenceOf(view, 'deposit', dispute.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (command.amount > deposit.amount) return refuse('exceeds_reference');
  const left = Math.max(deposit.amount - deposit.committed, 0);
  const isOver = dispute.state === 'won' || atMs >= dispute.captureUntil * 1_000;
  const extra = isOver ? 0 : Math.min(Math.max(command.amount - dispute.amount, 0), left);
  if (extra === 0) return { postings: [], references: [], amounts: { extended: 0 } };
  const covered = Math.min(extra, view.bucketsOf(command.accountId, command.currency).available);
  const isLost = dispute.state === 'lost' && dispute.provider !== null;
  const extended = { amount: dispute.amount + extra, shortfall: dispute.shortfall + extra - covered };
  const holds = isLost ? { returned: dispute.returned + covered } : { blocked: dispute.blocked + covered };
  return {
    postings: [
      available(command, -covered, { type: 'MED_BLOCK', refType: 'dispute', refId: dispute.id }),
      isLost ? system(providerAccount(dispute.provider), command.currency, covered) : blocked(command, covered),
    ],
    references: [
      { ...dispute, ...extended, ...holds },
      { ...deposit, committed: deposit.committed + extra },
    ],
    amounts: { extended: extra },
  };
};

/** Won: what is blocked goes back to available, the shortfall is dropped, the deposit may be refunded again. */
export const releaseDispute: Rule<'release-dispute'> = (command, view) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  const deposit = referenceOf(view, 'deposit', dispute.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (dispute.state !== 'open') return refuse('invalid_state');
  const released = dispute.blocked;
  return {
    postings: [
      blocked(command, -released),
      available(command, released, { type: 'MED_RELEASE', refType: 'dispute', refId: dispute.id }),
    ],
    references: [
      { ...dispute, state: 'won', blocked: 0, shortfall: 0 },
      { ...deposit, committed: deposit.committed - dispute.amount },
    ],
    amounts: { released },
  };
};

/**
 * Lost: what is blocked leaves through the provider; a shortfall stays due and is paid by later credits. Of a dispute
 * that is lost in part, the rest goes back to available and can be refunded again. Both are one transaction, so that
 * money that has to leave cannot be spent in between.
 */
export const returnDispute: Rule<'return-dispute'> = (command, view) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  const deposit = referenceOf(view, 'deposit', dispute.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (dispute.state !== 'open') return refuse('invalid_state');
  const { provider } = command;
  const amount = Math.min(command.amount ?? dispute.amount, dispute.amount);
  const returned = Math.min(dispute.blocked, amount);
  const released = dispute.blocked - returned;
  const shortfall = Math.min(dispute.shortfall, amount - returned);
  return {
    postings: [
      blocked(command, -dispute.blocked),
      system(providerAccount(provider), command.currency, returned),
      available(command, released, { type: 'MED_RELEASE', refType: 'dispute', refId: dispute.id }),
    ],
    references: [
      { ...dispute, amount, state: 'lost', blocked: 0, shortfall, returned, provider },
      { ...deposit, committed: deposit.committed - (dispute.amount - amount) },
    ],
    amounts: { returned, shortfall, released },
  };
};

/**
 * A lost dispute that was won after all: what had gone to the payer, captured credits included, is credited from the
 * provider, the shortfall is dropped, and the deposit may be refunded again.
 */
export const overturnDispute: Rule<'overturn-dispute'> = (command, view) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  const deposit = referenceOf(view, 'deposit', dispute.depositId, command);
  if (isRefusal(deposit)) return deposit;
  if (dispute.state !== 'lost') return refuse('invalid_state');
  const { returned } = dispute;
  return {
    postings: [
      available(command, returned, { type: 'MED_RELEASE', refType: 'dispute', refId: dispute.id }),
      system(providerAccount(command.provider), command.currency, -returned),
    ],
    references: [
      { ...dispute, state: 'won', shortfall: 0, returned: 0 },
      { ...deposit, committed: deposit.committed - dispute.amount },
    ],
    amounts: { released: returned },
  };
};

/** No postings: later credits pay nothing more into the dispute. Refused before the end of its time. */
export const lapseDispute: Rule<'lapse-dispute'> = (command, view, atMs) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  if (dispute.shortfall === 0 || atMs < dispute.captureUntil * 1_000) return refuse('invalid_state');
  const lapsed = { ...dispute, shortfall: 0 };
  return { postings: [], references: [lapsed], alsoChanged: [lapsed], amounts: { lapsed: dispute.shortfall } };
};
