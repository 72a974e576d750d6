import type { MoneyRecordPlace } from '@gateway/contracts/ledger';
import type { BookedFee } from '#src/sides/fee-findings.ts';
import type { SoundLink } from '#src/sides/check-links.ts';

/**
 * A payout that the ledger has debited and whose end is still to be read: its record is asked for with the end, once instead of
 * twice. Kept in the place of the reading, so that a crash forgets none.
 */
export type ReservedPayout = readonly [id: string, accountId: string, fee: number, decidedAtMs: number];

/** The end of a payout that takes longer, as one that waits for a decision of operators, is not waited for. */
const endWithinMs = 30_000;
/** More are not kept: the oldest are asked for. */
const reservedMax = 1_000;

const debits = 'debit-payout';

interface Reserved {
  /** Still without an end, to be kept. */
  readonly kept: readonly ReservedPayout[];
  /** Of earlier readings, whose records are asked for though their end is not read yet. */
  readonly asked: readonly MoneyRecordPlace[];
  /** What those of earlier readings have booked that are kept no longer, to be compared with their records. */
  readonly fees: readonly BookedFee[];
}

/**
 * What becomes of reservations with a reading.
 *
 * @param earlier those that were kept by the reading before
 * @param nowMs Unix milliseconds
 */
export function reservedWith(earlier: readonly ReservedPayout[], links: readonly SoundLink[], nowMs: number): Reserved {
  const ended = new Set(links.filter(({ request }) => request.kind !== debits).map(recordIdOf));
  const isWaitedFor = ([id, , , decidedAtMs]: ReservedPayout) => !ended.has(id) && decidedAtMs >= nowMs - endWithinMs;
  const waitedFor = [...earlier, ...links.filter(isDebit).map(reservedBy)].filter(isWaitedFor);
  const kept = waitedFor.slice(-reservedMax);
  const ids = new Set(kept.map(([id]) => id));
  const due = earlier.filter(([id]) => !ids.has(id));
  return {
    kept,
    asked: due.filter(([id]) => !ended.has(id)).map(([id, accountId]) => ({ accountId, id })),
    fees: due.map(([id, , fee]) => ({ commandId: `${debits}:${id}`, isApplied: true, request: { kind: debits, fee } })),
  };
}

function isDebit({ isApplied, request }: SoundLink): boolean {
  return isApplied && request.kind === debits;
}

function reservedBy(link: SoundLink): ReservedPayout {
  const { request, place } = link;
  return [recordIdOf(link), request.accountId, request.fee ?? 0, place.decidedAtMs];
}

function recordIdOf({ commandId }: SoundLink): string {
  return commandId.split(':')[1] ?? '';
}
