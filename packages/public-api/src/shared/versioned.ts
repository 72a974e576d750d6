import { z } from 'zod';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import type { ApiVersion } from '@gateway/contracts/values';

/** Something that exists once per contract (spec 9). */
export interface ByVersion<Before, Beta> {
  readonly '0.1': Before;
  readonly '1.0': Beta;
}

/** The schemas of a body in both contracts. */
export type VersionedBody = ByVersion<z.ZodType, z.ZodType>;

/** A checked body, and the contract whose schema it fits. */
export type FormedBody<B extends VersionedBody> =
  | { readonly form: '0.1'; readonly value: z.output<B['0.1']> }
  | { readonly form: '1.0'; readonly value: z.output<B['1.0']> };

export function isVersioned(schema: z.ZodType | VersionedBody): schema is VersionedBody {
  return '1.0' in schema;
}

/**
 * The contract a call is answered in (api.md 3): the header's, else that of the body's form, else the key's.
 *
 * @returns undefined when the header names no contract
 */
export function contractOf(call: {
  readonly header: string | readonly string[] | undefined;
  readonly body: unknown;
  readonly keyVersion: ApiVersion;
}): ApiVersion | undefined {
  if (call.header === '0.1' || call.header === '1.0') return call.header;
  if (call.header !== undefined) return undefined;
  return hasBetaForm(call.body) ? '1.0' : call.keyVersion;
}

/** The contract a body is read in: one that has `amount` is of 1.0, whatever the answer is to look like. */
export function formOf(body: unknown, answeredIn: ApiVersion): ApiVersion {
  return hasBetaForm(body) ? '1.0' : answeredIn;
}

function hasBetaForm(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'amount' in body && !('amount_cents' in body);
}

/** Members that contract 1.0 has renamed; their earlier names are still read. */
const renamed = { amount_cents: 'amount', pix_key: 'payout_key', pix_key_type: 'payout_key_type' } as const;

/** A body of contract 1.0, its members under the names of 1.0. */
export function betaBody<S extends z.ZodType>(schema: S) {
  return z.preprocess((body) => (isPlainObject(body) ? withBetaNames(body) : body), schema);
}

/** A body of contract 0.1 as a contract names its members. */
export function bodyIn(version: ApiVersion, body: unknown): unknown {
  return version === '1.0' && isPlainObject(body) ? withBetaNames(body) : body;
}

/** A member that is given under both names keeps both, so that the earlier one is refused. */
function withBetaNames(body: Readonly<Record<string, unknown>>): object {
  const named: Record<string, unknown> = { ...body };
  for (const [before, now] of Object.entries(renamed)) {
    if (!(before in body) || (body[now] ?? null) !== null) continue;
    named[now] = body[before];
    Reflect.deleteProperty(named, before);
  }
  return named;
}

/** Top-level members that the schema does not know. */
function unknownTo(schema: z.ZodType, body: unknown): ReadonlySet<string> {
  const { error } = schema.safeParse(body);
  const issues = error?.issues ?? [];
  return new Set(
    issues.flatMap((issue) => (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [])),
  );
}

/**
 * Members of a body that its own contract does not know and the other one does.
 *
 * @param form the contract the body is read in
 */
export function membersOfOtherContract(bodies: VersionedBody, body: unknown, form: ApiVersion): ReadonlySet<string> {
  const unknownHere = unknownTo(bodies[form], body);
  return unknownHere.difference(unknownTo(bodies[otherContract(form)], body));
}

export function otherContract(version: ApiVersion): ApiVersion {
  return version === '0.1' ? '1.0' : '0.1';
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A refusal with the faulty members under the names of the contract; anything else as it is. */
export function faultIn(version: ApiVersion, error: unknown): unknown {
  if (version === '0.1' || !(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') return error;
  return new ValidationError(error.details.map(({ path, message }) => ({ path: betaName(path), message })));
}

function betaName(path: string): string {
  return path in renamed ? renamed[path as keyof typeof renamed] : path;
}
