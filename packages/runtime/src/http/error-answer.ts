import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { DomainError, errorTable, type ErrorBody, type ErrorDetail } from '@gateway/contracts/errors';
import { databaseUnavailable, isConnectionError } from '#src/http/connection-error.ts';

/** Retry-After in seconds for a refusal that names none. */
const retryAfterSecDefault = 1;

const frameworkErrors: Readonly<Record<string, DomainError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new DomainError('PAYLOAD_TOO_LARGE', 'the body is too large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new DomainError('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json'),
  FST_ERR_CTP_INVALID_JSON_BODY: malformedBody(),
  FST_ERR_CTP_EMPTY_JSON_BODY: malformedBody(),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformedBody(),
};

/** The body of a refusal; a dialect may depend on the path that was asked for. */
export type ErrorBodyOf = (refusal: DomainError, requestId: string, path: string) => object;

/** The refusal for anything that was thrown while answering. The message of a bug is not shown. */
export function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isConnectionError(error)) return databaseUnavailable(error);
  if (hasZodFastifySchemaValidationErrors(error)) {
    return validationRefusal(error.validation.map((issue) => detailOf(issue.instancePath, issue.message)));
  }
  if (error instanceof SyntaxError) return malformedBody();
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  const known = frameworkErrors[code];
  if (known) return known;
  if (statusCode >= 400 && statusCode < 500) return new DomainError('VALIDATION_ERROR', 'the request is not valid');
  return new DomainError('INTERNAL_ERROR', 'something went wrong on our side');
}

export function errorBody(refusal: DomainError, requestId: string): ErrorBody {
  const { code, message, details, extra } = refusal;
  return {
    error: {
      code,
      message,
      ...(details.length > 0 ? { details: [...details] } : {}),
      request_id: requestId,
      ...extra,
    },
  };
}

/** Headers an error answer carries beside its body. */
export function errorHeaders(refusal: DomainError): Record<string, string> {
  const { status } = errorTable[refusal.code];
  if (refusal.retryAfterSec === undefined && status !== 503) return {};
  return { 'retry-after': String(refusal.retryAfterSec ?? retryAfterSecDefault) };
}

function malformedBody(): DomainError {
  return new DomainError('VALIDATION_ERROR', 'the body is not valid JSON');
}

/** `/payer/document` and `must …` become `payer.document must …`. */
function detailOf(instancePath: string, message: string | undefined): ErrorDetail {
  return { path: instancePath.replace(/^\//, '').replaceAll('/', '.'), message: message ?? 'is not valid' };
}

function validationRefusal(details: readonly ErrorDetail[]): DomainError {
  const [first] = details;
  const message = first ? `${first.path} ${first.message}`.trim() : 'the request is not valid';
  return new DomainError('VALIDATION_ERROR', message, { details });
}
