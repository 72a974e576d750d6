import { AsyncLocalStorage } from 'node:async_hooks';

/** A question as the broker would carry it. Its text is no object of the service that asks. */
export interface NeighbourQuestion {
  readonly headers: QuestionHeaders;
  readonly payload: string;
  readonly answer: (payload: string) => void;
}

/** Header members of a message; one that is missing reads as an empty text. */
export interface QuestionHeaders extends Iterable<[string, string[]]> {
  get(name: string): string;
}

type TakeQuestion = (question: NeighbourQuestion) => void;

interface Served {
  readonly callers: readonly string[];
  readonly take: TakeQuestion;
}

/** What the services of one process ask each other without the broker. */
export class Neighbours {
  readonly #served = new Map<string, Served>();

  /**
   * Takes the questions of a subject until disposed: as work of the service that calls this, outside the transaction and
   * the trace of the service that asks.
   */
  serve(subject: string, { callers, take }: Served): Disposable {
    const served = { callers, take: AsyncLocalStorage.bind(take) };
    this.#served.set(subject, served);
    return { [Symbol.dispose]: () => void (this.#served.get(subject) === served && this.#served.delete(subject)) };
  }

  /** Undefined where the broker is to be asked: the subject is not served here, or not for this caller. */
  find(subject: string, caller: string): TakeQuestion | undefined {
    const served = this.#served.get(subject);
    return served?.callers.includes(caller) ? served.take : undefined;
  }
}
