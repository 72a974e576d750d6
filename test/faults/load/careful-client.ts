import { eventually } from '@gateway/service-kit/testing';
import { MerchantClient, type Answer } from '../../support/merchant-client.ts';

const answerTimeoutMs = 90_000;
const pauseMs = 100;
const tooManyRequests = 429;
const outcomeNotKnown = 'the outcome is not known; repeat the call with the same external_id';

interface KeyPair {
  readonly public_key: string;
  readonly secret_key: string;
}

/** What came back over one seed. */
export class Tally {
  answered = 0;
  /** Answers 503 and 429, and calls that were cut off: all of them were repeated. */
  repeated = 0;
  readonly unexpected: string[] = [];

  /** A 500 is a bug, unless it says what is true of a conversion whose answer was lost on its way. */
  note500(text: string): void {
    if (!text.includes(outcomeNotKnown)) this.unexpected.push(text);
  }
}

/**
 * A careful merchant's code: repeats a call until an answer settles the matter, at the next door if there is one. 503,
 * 429 and a lost connection are repeated; 504 settles a payout, it names the record.
 */
export class CarefulClient {
  readonly #clients: readonly MerchantClient[];
  readonly #tally: Tally;
  #next = 0;

  constructor(doors: readonly string[], keys: KeyPair, tally: Tally) {
    this.#clients = doors.map((door) => new MerchantClient(door, keys));
    this.#tally = tally;
  }

  get = (path: string): Promise<Answer> => this.#settle((client) => client.get(path));
  post = (path: string, body?: unknown): Promise<Answer> => this.#settle((client) => client.post(path, body));

  async #settle(call: (client: MerchantClient) => Promise<Answer>): Promise<Answer> {
    const settled = async () => {
      const client = this.#clients[this.#next++ % this.#clients.length]!;
      const answer = await call(client);
      if (answer.status === 500) this.#tally.note500(answer.text);
      if (answer.status === tooManyRequests || (answer.status >= 500 && answer.status !== 504)) {
        throw new Error(`${answer.status} ${answer.text}`);
      }
      return answer;
    };
    const counted = () =>
      settled().catch((error: unknown) => {
        this.#tally.repeated++;
        throw error;
      });
    const answer = await eventually(counted, { timeoutMs: answerTimeoutMs, everyMs: pauseMs });
    this.#tally.answered++;
    return answer;
  }
}

/** @throws Error with the whole answer when it is another one. */
export function expectStatus(answer: Answer, ...statuses: number[]): Answer {
  if (statuses.includes(answer.status)) return answer;
  throw new Error(`answered ${answer.status} instead of ${statuses.join(' or ')}: ${answer.text}`);
}
