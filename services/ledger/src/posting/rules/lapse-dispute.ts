import { isRefusal, referenceOf, refuse, type Rule } from '#src/posting/rule.ts';

/** No postings: later credits pay nothing more into the dispute. Refused before the end of its time. */
export const lapseDispute: Rule<'lapse-dispute'> = (command, view, atMs) => {
  const dispute = referenceOf(view, 'dispute', command.disputeId, command);
  if (isRefusal(dispute)) return dispute;
  if (dispute.shortfall === 0 || atMs < dispute.captureUntil * 1_000) return refuse('invalid_state');
  const lapsed = { ...dispute, shortfall: 0 };
  return { postings: [], references: [lapsed], alsoChanged: [lapsed], amounts: { lapsed: dispute.shortfall } };
};
