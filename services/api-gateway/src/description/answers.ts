import { STATUS_CODES } from 'node:http';
import { errorTable, statusOf, type ErrorCode } from '@gateway/contracts/errors';
import { referenceTo } from '#src/description/schemas.ts';

const rateHeaders = {
  RateLimitLimit: {
    description: 'The burst of the key: the largest number of requests it can make at once.',
    schema: { type: 'integer' },
  },
  RateLimitRemaining: {
    description: 'The number of requests the key can still make at once.',
    schema: { type: 'integer' },
  },
  RateLimitReset: { description: 'Seconds until the whole burst is available again.', schema: { type: 'integer' } },
} as const;

const otherHeaders = {
  RequestId: {
    description:
      'Identifies the request in our logs: the id that was sent with it, if it is valid, otherwise a new one.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 } },
} as const;

const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });
const namedAnswer = { 'X-Request-Id': headerRef('RequestId') };
const meteredAnswer = {
  'RateLimit-Limit': headerRef('RateLimitLimit'),
  'RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'RateLimit-Reset': headerRef('RateLimitReset'),
};

/** The headers that answers refer to. */
export function headerComponents(rateLimited: boolean): object {
  return rateLimited ? { ...otherHeaders, ...rateHeaders } : otherHeaders;
}

/** The headers of a successful answer. */
export function successHeaders(rateLimited: boolean): object {
  return rateLimited ? { ...namedAnswer, ...meteredAnswer } : namedAnswer;
}

export function reasonOf(status: string): string {
  return STATUS_CODES[status] ?? status;
}

/** The answers of refusals, one per status; those that many operations share stand below `components`. */
export class Refusals {
  readonly #shared = new Map<string, object>();
  readonly #exampleOf: (code: ErrorCode) => unknown;

  /** @param example the body of a refusal, by its message, where it is not the native one */
  constructor(example?: (message: string) => unknown) {
    this.#exampleOf = example ? (code) => example(errorTable[code].meaning) : errorExampleOf;
  }

  /**
   * @param shared codes that every operation may refuse with
   * @param own codes of one operation
   */
  of(shared: readonly ErrorCode[], own: readonly ErrorCode[]): Record<string, object> {
    const codes = [...new Set([...shared, ...own])];
    const statuses = [...new Set(codes.map(statusOf))].sort();
    return Object.fromEntries(
      statuses.map((status) => {
        const here = codes.filter((code) => statusOf(code) === status);
        const isShared = here.every((code) => shared.includes(code));
        return [status, isShared ? this.#referTo(status, here) : errorAnswer(status, here, this.#exampleOf)];
      }),
    );
  }

  components(): Record<string, object> {
    return Object.fromEntries([...this.#shared].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #referTo(status: number, codes: readonly ErrorCode[]): object {
    const name = codes.length === 1 && codes[0] ? nameOf(codes[0]) : `Error${status}`;
    this.#shared.set(name, errorAnswer(status, codes, this.#exampleOf));
    return { $ref: `#/components/responses/${name}` };
  }
}

/** `NOT_FOUND` is `NotFound`. */
function nameOf(code: ErrorCode): string {
  return code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}

/** What each of the codes means, what to do about it, and an example of each. */
function errorAnswer(status: number, codes: readonly ErrorCode[], exampleOf: (code: ErrorCode) => unknown): object {
  const description = codes.map((code) => `\`${code}\`: ${errorTable[code].meaning} ${errorTable[code].action}`);
  const examples = codes.map((code) => [code, { value: exampleOf(code) }] as const);
  const retryAfter = status === 429 || status === 503 ? { 'Retry-After': headerRef('RetryAfter') } : {};
  return {
    description: description.join('\n\n'),
    headers: { ...namedAnswer, ...retryAfter },
    content: { 'application/json': { schema: referenceTo('Error'), examples: Object.fromEntries(examples) } },
  };
}

function errorExampleOf(code: ErrorCode) {
  const error = { code, message: errorTable[code].meaning, request_id: 'req_01k9z3m4v6t8x0a2c4e6g8jk01' };
  if (code === 'PROVIDER_TIMEOUT') return { error: { ...error, payout_id: 'pyt_01k9z3m4v6t8x0a2c4e6g8jk01' } };
  if (code !== 'VALIDATION_ERROR') return { error };
  return {
    error: {
      ...error,
      details: [{ path: 'amount_cents', message: 'must be a positive integer: cents, a number and no text' }],
    },
  };
}
