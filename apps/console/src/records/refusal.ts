import type { Error as ErrorBody } from '#src/generated/types.gen.ts';

/** An answer that is not 2xx, or none at all: then `status` is 0 and what became of a write is not known. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  readonly status: number;
  readonly requestId: string | undefined;
  /** Faults by the field they are about: `evidence`. */
  readonly faults: Readonly<Record<string, string>>;

  constructor({ status, body }: { readonly status: number; readonly body: ErrorBody | undefined }) {
    const error = body?.error;
    super(error?.message ?? 'no answer');
    this.code = error?.code ?? 'NO_ANSWER';
    this.status = status;
    this.requestId = error?.request_id;
    this.faults = Object.fromEntries((error?.details ?? []).map(({ path, message }) => [path, message]));
  }

  /** Whether it may have been done all the same: no answer, or one of a gateway that waited for too long. */
  get isUnknown(): boolean {
    return this.status === 0 || this.status === 504;
  }
}

/** Of a request that the page makes again by itself: it keeps no session alive. */
export function backgroundHeaders(isAgain: boolean): Record<string, string> {
  return isAgain ? { 'x-background': '1' } : {};
}

interface Answered<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response?: Response | undefined;
}

/**
 * The body of an answer.
 *
 * @throws Refusal of every answer that is not 2xx
 */
export async function bodyOf<Data>(answer: Promise<Answered<Data>>): Promise<Data> {
  const { data, error, response } = await answer.catch(() => ({
    error: undefined,
    response: undefined,
    data: undefined,
  }));
  if (data !== undefined && response?.ok === true) return data;
  throw new Refusal({ status: response?.status ?? 0, body: isErrorBody(error) ? error : undefined });
}

/**
 * That it is done, of an answer without a body.
 *
 * @throws Refusal of every answer that is not 2xx
 */
export async function done(answer: Promise<Answered<unknown>>): Promise<true> {
  const answered = answer.then(({ response, error }) =>
    response?.ok === true ? { data: true as const, response } : { error, response },
  );
  return await bodyOf<true>(answered);
}

function isErrorBody(body: unknown): body is ErrorBody {
  const error = (body as Partial<ErrorBody> | null | undefined)?.error as unknown;
  return typeof error === 'object' && error !== null && 'code' in error;
}
