import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { detailsOf, ValidationError, type ErrorDetail } from '@gateway/contracts/errors';
import type { ApiVersion } from '@gateway/contracts/values';
import {
  formOf,
  membersOfOtherContract,
  otherContract,
  type FormedBody,
  type VersionedBody,
} from '@gateway/public-api';
import { withoutNulls } from '#src/http/left-out.ts';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Checks a part of a request against its zod schema, and describes its faults in the words of api.md 1. */
export const validate: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    const given = httpPart === 'body' ? withoutNulls(schema, data) : data;
    const result = schema.safeParse(given, { error: messageOf });
    if (result.success) return { value: result.data };
    return { error: new ValidationError(distinct(detailsOf(result.error), httpPart ?? 'request')) };
  };
};

/**
 * Checks a body against the schema of its own contract (api.md 3).
 *
 * @param answeredIn the contract of the call, in which a body is read that says nothing else
 * @throws ValidationError
 */
export function checkForm<B extends VersionedBody>(bodies: B, body: unknown, answeredIn: ApiVersion): FormedBody<B> {
  const form = formOf(body, answeredIn);
  const result = bodies[form].safeParse(body, { error: messageOf });
  if (result.success) return { form, value: result.data } as FormedBody<B>;
  const elsewhere = membersOfOtherContract(bodies, body, form);
  const nulls = [...elsewhere].filter((member) => (body as Readonly<Record<string, unknown>>)[member] === null);
  // A client with one type for both contracts sends null for the members of the other.
  if (nulls.length > 0) return checkForm(bodies, without(body as object, nulls), answeredIn);
  const other = otherContract(form);
  const details = detailsOf(result.error).map(({ path, message }) =>
    elsewhere.has(path)
      ? { path, message: `belongs to contract ${other}: send X-Api-Version: ${other}` }
      : { path, message },
  );
  throw new ValidationError(distinct(details, 'body'));
}

function without(body: object, members: readonly string[]): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !members.includes(name)));
}

/**
 * Refuses a query or body of an operation that takes none; an empty one says nothing.
 *
 * @throws ValidationError naming each of its members
 */
export function checkEmpty(part: 'querystring' | 'body', value: unknown): void {
  if (value === undefined || value === null) return;
  const result = nothingSchema.safeParse(value, { error: messageOf });
  if (!result.success) throw new ValidationError(distinct(detailsOf(result.error), part));
}

const nothingSchema = z.strictObject({});

/** Every field is named once with each of its faults; a fault of the whole is a fault of the body or query. */
function distinct(details: readonly ErrorDetail[], part: string): ErrorDetail[] {
  const named = details.map(({ path, message }) => ({ path: path === '' ? part : path, message }));
  return [...new Map(named.map((detail) => [`${detail.path} ${detail.message}`, detail])).values()];
}

/** Words for the faults whose schema has none of its own. */
function messageOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return `must ${boundOf(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'too_big':
      return `must ${boundOf(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'invalid_value':
      return issue.input === undefined
        ? 'is required'
        : `must be ${issue.values.map(String).join(', ')}`.replace(/, ([^,]*)$/, ' or $1');
    case 'invalid_format':
      return issue.format === 'url' ? 'must be an https URL' : 'is not well-formed';
    case 'invalid_key':
      return `has a key that ${issue.issues.map(({ message }) => message).join(' and ')}`;
    case 'unrecognized_keys':
      return 'is not a member of this operation';
    case 'custom':
    case 'invalid_element':
    case 'invalid_union':
    case 'not_multiple_of':
      return 'is not valid';
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

function boundOf(origin: string, comparison: string, bound: number): string {
  if (origin === 'string') return `be ${comparison} ${bound} characters long`;
  if (origin === 'array') return `have ${comparison} ${bound} entries`;
  return `be ${comparison} ${bound}`;
}
