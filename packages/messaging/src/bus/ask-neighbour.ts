import type { NeighbourQuestion } from '@gateway/runtime';
import type { BusAnswer, BusRequest, RequestFailure } from '#src/bus/requests.ts';

/** Asks a service of this process. Its answer is text, so that neither of the two holds an object of the other. */
export function askNeighbour(
  take: (question: NeighbourQuestion) => void,
  { payload, headers, timeoutMs }: BusRequest,
): Promise<BusAnswer | RequestFailure> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, 'late');
    const answer = (text: string) => {
      clearTimeout(timer);
      resolve(new NeighbourAnswer(text));
    };
    take({ payload, headers, answer });
  });
}

class NeighbourAnswer implements BusAnswer {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get data(): Uint8Array {
    return Buffer.from(this.#text);
  }

  json(): unknown {
    return JSON.parse(this.#text);
  }
}
