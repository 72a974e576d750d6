import type { LedgerRequest } from '#src/chain/canonical-request.ts';
import type { BatchOutcome, KnownRecords } from '#src/posting/apply.ts';
import { referencedIds } from '#src/posting/referenced-ids.ts';
import type { Reference } from '#src/posting/reference.ts';

/** A batch that is decided and not yet committed. */
export interface BatchInFlight {
  readonly requests: readonly LedgerRequest[];
  readonly known: KnownRecords;
  readonly outcome: BatchOutcome;
}

/**
 * What is known to a batch that was looked up before the one ahead of it was committed: the result of the look-up, with
 * the decisions and changes of the batch ahead. The records of that batch are added too, since its new disputes refer
 * to deposits in rows that are not written yet.
 */
export function knownBehind(found: KnownRecords, ahead: BatchInFlight): KnownRecords {
  const references = new Map<string, Reference>(found.references);
  for (const id of ahead.requests.flatMap(({ command }) => referencedIds(command))) {
    const reference = ahead.known.references.get(id);
    if (reference) references.set(id, reference);
  }
  for (const reference of ahead.outcome.change.references) references.set(reference.id, reference);
  return { decided: new Map([...found.decided, ...ahead.outcome.decided]), references };
}
