import { z } from 'zod';
import { errorTable, type ErrorCode } from '#src/errors/error-table.ts';

export const errorDetailSchema = z
  .object({
    path: z.string().describe('The field as the caller wrote it: `payer.document`, `events.2`.'),
    message: z.string().describe('What is wrong with it.'),
  })
  .meta({ id: 'ErrorDetail', description: 'One fault of a request.' });
export type ErrorDetail = z.infer<typeof errorDetailSchema>;

export interface DomainErrorOptions {
  readonly details?: readonly ErrorDetail[];
  /** Further members of the public error object, for example `payout_id`. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly retryAfterSec?: number;
  readonly cause?: unknown;
}

/**
 * A refusal that the caller sees: a code of the error table, and a message that is safe to show.
 * Everything else that is thrown is a bug and answered 500 without its message.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly extra: Readonly<Record<string, string>>;
  readonly retryAfterSec: number | undefined;

  constructor(code: ErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = options.details ?? [];
    this.extra = options.extra ?? {};
    this.retryAfterSec = options.retryAfterSec;
  }
}

/** A request that does not fit: 400 naming every field. */
export class ValidationError extends DomainError {
  constructor(details: readonly ErrorDetail[]) {
    const [first] = details;
    super('VALIDATION_ERROR', first ? `${first.path} ${first.message}`.trim() : 'the request is not valid', {
      details,
    });
  }
}

/** No such record for this caller; also the answer for the records of others. */
export class NotFoundError extends DomainError {
  constructor(what: string) {
    super('NOT_FOUND', `${what} not found`);
  }
}

/** How a refusal travels between services. */
export const wireErrorSchema = z.object({
  code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  details: z.array(errorDetailSchema).default([]),
  extra: z.record(z.string(), z.string()).default({}),
  retryAfterSec: z.number().optional(),
});
export type WireError = z.infer<typeof wireErrorSchema>;

export function toWireError(error: DomainError): WireError {
  return {
    code: error.code,
    message: error.message,
    details: [...error.details],
    extra: { ...error.extra },
    ...(error.retryAfterSec === undefined ? {} : { retryAfterSec: error.retryAfterSec }),
  };
}

export function fromWireError(error: WireError): DomainError {
  return new DomainError(error.code, error.message, error);
}

/** The details of a zod failure, one per issue, with the path as the caller wrote it. */
export function detailsOf(error: z.ZodError): ErrorDetail[] {
  return error.issues.flatMap((issue) => {
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path) => ({ path: path.map(String).join('.'), message: issue.message }));
  });
}
