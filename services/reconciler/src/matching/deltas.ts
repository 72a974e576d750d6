import type { ItemKind } from '@gateway/contracts/reconciler';
import type { Environment } from '@gateway/contracts/values';
import type { Fact, StoredLine } from '#src/matching/items.ts';
import { deadlineOf, kindOfSubject, subjectOfLine } from '#src/matching/kinds.ts';

/** What a match is, and by how much its sides change. */
export interface Delta {
  readonly environment: Environment;
  readonly provider: string;
  readonly currency: string;
  readonly subject: string;
  readonly kind: ItemKind;
  accountId: string | null;
  pItems: number;
  pAmount: number;
  rItems: number;
  rAmount: number;
  lItems: number;
  lAmount: number;
  /** When the first side had it. */
  firstSeenAt: Date;
  /** When the ledger booked it last; a record says itself when its money moved. */
  decidedAt: Date | null;
  /** Until when a match that is new may lack a side. */
  readonly deadlineAt: Date;
}

type Target = Pick<Delta, 'environment' | 'provider' | 'currency' | 'subject'>;

/** The changes of one batch, one for each match: an item that moves from one match to another changes both. */
export class Deltas {
  readonly #bySubject = new Map<string, Delta>();
  readonly #now: Date;
  /** Of this batch: the end of a day is worked out by a calendar, which takes longer than all else of a change. */
  readonly #deadlines = new Map<ItemKind, Date>();

  constructor(now: Date) {
    this.#now = now;
  }

  /** @param sign 1 adds the fact to its match, −1 takes away what it was before */
  fact(fact: Fact, sign: 1 | -1): void {
    if (fact.side === 'W') return;
    const delta = this.#of(fact, fact.occurredAt);
    delta.accountId ??= fact.accountId;
    if (fact.side === 'R') {
      delta.rItems += sign;
      delta.rAmount += sign * fact.amount;
    } else {
      if (delta.decidedAt === null || delta.decidedAt < fact.occurredAt) delta.decidedAt = fact.occurredAt;
      delta.lItems += sign;
      delta.lAmount += sign * fact.amount;
    }
  }

  /** @param subject of the match, which may be another than that of the line before */
  line(line: StoredLine, subject: string, sign: 1 | -1): void {
    // A line in a file cannot be known before the file is there.
    const seenAt = line.source === 'file' ? line.receivedAt : line.bookedAt;
    const delta = this.#of({ ...line, subject }, seenAt);
    delta.pItems += sign;
    delta.pAmount += sign * line.amount;
    if (line.batchKey === null) return;
    const batch = this.#of({ ...line, subject: subjectOfLine('batch', line.batchKey) }, seenAt);
    batch.rItems += sign;
    batch.rAmount += sign * line.amount;
  }

  /** Those that change something, in the order in which their rows are locked. */
  get changes(): Delta[] {
    const all = [...this.#bySubject.values()];
    return all.filter((delta) => sumsOf(delta).some((value) => value !== 0));
  }

  #of(target: Target, seenAt: Date): Delta {
    const { environment, provider, currency, subject } = target;
    const id = `${environment} ${provider} ${currency} ${subject}`;
    const known = this.#bySubject.get(id);
    if (known) {
      if (seenAt < known.firstSeenAt) known.firstSeenAt = seenAt;
      return known;
    }
    const kind = kindOfSubject(subject);
    const delta: Delta = {
      ...{ environment, provider, currency, subject, kind, accountId: null, decidedAt: null },
      ...{ pItems: 0, pAmount: 0, rItems: 0, rAmount: 0, lItems: 0, lAmount: 0 },
      ...{ firstSeenAt: seenAt, deadlineAt: this.#deadlineOf(kind) },
    };
    this.#bySubject.set(id, delta);
    return delta;
  }

  #deadlineOf(kind: ItemKind): Date {
    const deadline = this.#deadlines.get(kind) ?? deadlineOf(kind, this.#now);
    this.#deadlines.set(kind, deadline);
    return deadline;
  }
}

function sumsOf({ pItems, pAmount, rItems, rAmount, lItems, lAmount }: Delta): number[] {
  return [pItems, pAmount, rItems, rAmount, lItems, lAmount];
}
