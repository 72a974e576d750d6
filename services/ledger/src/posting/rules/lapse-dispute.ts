import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/verdict.ts';

/** No postings: from here on nothing more is taken from later credits for it. Never before its time. */
export const lapseDispute: Rule<'lapse-dispute'> = (command, view, atMs) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  if (dispute.shortfall === 0 || atMs < dispute.captureUntil * 1_000) return refuse('invalid_state');
  const lapsed = { ...dispute, shortfall: 0 };
  return { postings: [], references: [lapsed], changedBeside: [lapsed], amounts: { lapsed: dispute.shortfall } };
};
