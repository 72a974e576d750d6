import { eventually } from '@gateway/test-kit';
import { MerchantClient, type Answer } from '../../support/merchant-client.ts';

const answerTimeoutMs = 90_000;
const pauseMs = 100;
const tooManyRequests = 429;

interface KeyPair {
  readonly public_key: string;
  readonly secret_key: string;
}

/** What came back over one seed. */
export class Tally {
  answered = 0;
  /** Answers 503 and 429, and calls that were cut off: all of them were repeated. */
  repeated = 0;
  /** Answers 500: bugs. */
  readonly unexpected: string[] = [];
}

/**
 * A careful merchant's code: repeats a call until an answer settles the matter, at the next gateway if there is one. 503,
 * 429 and a lost connection are repeated, and 504 unless it names the payout, which is then there.
 */
export class CarefulClient {
  readonly #clients: readonly MerchantClient[];
  readonly #tally: Tally;
  #next = 0;

  constructor(urls: readonly string[], keys: KeyPair, tally: Tally) {
    this.#clients = urls.map((url) => new MerchantClient(url, keys));
    this.#tally = tally;
  }

  get = (path: string): Promise<Answer> => this.#settle((client) => client.get(path));
  post = (path: string, body?: unknown): Promise<Answer> => this.#settle((client) => client.post(path, body));

  async #settle(call: (client: MerchantClient) => Promise<Answer>): Promise<Answer> {
    const settled = async () => {
      const client = this.#clients[this.#next++ % this.#clients.length]!;
      const answer = await call(client);
      if (answer.status === 500) this.#tally.unexpected.push(answer.text);
      if (answer.status === tooManyRequests || (answer.status >= 500 && !namesPayout(answer))) {
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

const namesPayout = ({ status, body }: Answer): boolean => status === 504 && typeof body.error.payout_id === 'string';

/** @throws Error with the whole answer when it is another one. */
export function expectStatus(answer: Answer, ...statuses: number[]): Answer {
  if (statuses.includes(answer.status)) return answer;
  throw new Error(`answered ${answer.status} instead of ${statuses.join(' or ')}: ${answer.text}`);
}
