import type { Dispute, LedgerEntry } from '#src/generated/merchants/types.gen.ts';
import type { TimelineEvent } from '#src/generated/types.gen.ts';
import { inOrder, ledgerEvent, stateEvent } from '#src/merchants/history/events.ts';
import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The nearest deadline first; what has none comes last, as the list had it. */
export function byDeadline(disputes: readonly Dispute[]): Dispute[] {
  const dueOf = ({ defense_due_at: due }: Dispute) => (due === null ? Infinity : Date.parse(due));
  return [...disputes].sort((one, other) => {
    const [first, second] = [dueOf(one), dueOf(other)];
    return first === second ? 0 : first - second;
  });
}

/** What happened to a dispute, oldest first, as its record and its entries say. */
export function timelineOf(dispute: Dispute, entries: readonly LedgerEntry[], texts: MerchantTexts): TimelineEvent[] {
  const { events, evidenceStatus, status: states } = texts.disputes;
  const { opened_at: opened, evidence, resolved_at: resolved, status } = dispute;
  const sent = evidence.flatMap(({ sent_at: at, status: taken }) =>
    at === null ? [] : [stateEvent(at, events.evidence(evidenceStatus[taken]))],
  );
  return inOrder([
    stateEvent(opened, events.opened),
    ...sent,
    ...(resolved === null ? [] : [stateEvent(resolved, states[status])]),
    // What is released or debited follows from the decision.
    ...entries.map((entry) => ledgerEvent(entry, texts)),
  ]);
}
