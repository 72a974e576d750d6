interface Awaited<Settle> {
  readonly subject: string;
  readonly settle: Settle;
}

const base = 36;

/**
 * What waits for answers to one inbox, by the subject that each answer comes to. A place is used again, never a subject: an
 * answer that comes too late finds no one.
 *
 * It is no Map: one that is filled and emptied thousands of times a second is made anew all the time, and each table that V8
 * has thrown away but not collected keeps its successor, and with that the requests and buffers of that moment, until the
 * next collection of the whole heap.
 */
export class AwaitedAnswers<Settle> {
  readonly #prefix: string;
  readonly #places: (Awaited<Settle> | undefined)[] = [];
  readonly #free: number[] = [];
  #uses = 0;

  constructor(inbox: string) {
    this.#prefix = `${inbox}.`;
  }

  /** Answers the subject on which the answer is awaited from now on. */
  add(settle: Settle): string {
    const place = this.#free.pop() ?? this.#places.length;
    const subject = `${this.#prefix}${place.toString(base)}-${(this.#uses++).toString(base)}`;
    this.#places[place] = { subject, settle };
    return subject;
  }

  /** Who waits on a subject; undefined once that is over. */
  get(subject: string): Settle | undefined {
    const awaited = this.#places[this.#placeOf(subject)];
    return awaited?.subject === subject ? awaited.settle : undefined;
  }

  delete(subject: string): void {
    const place = this.#placeOf(subject);
    if (this.#places[place]?.subject !== subject) return;
    this.#places[place] = undefined;
    this.#free.push(place);
  }

  all(): Settle[] {
    return this.#places.flatMap((awaited) => (awaited ? [awaited.settle] : []));
  }

  #placeOf(subject: string): number {
    return Number.parseInt(subject.slice(this.#prefix.length), base);
  }
}
