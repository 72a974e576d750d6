import { type Attributes, type SpanContext, TraceFlags } from '@opentelemetry/api';
import { idAlphabet, idPrefixes } from '@gateway/money';

/** Attributes by the prefix of an id: the records that a span may be about. */
const attributeNames: Readonly<Record<string, string>> = {
  [idPrefixes.account]: 'gateway.account_id',
  [idPrefixes.deposit]: 'gateway.deposit_id',
  [idPrefixes.payout]: 'gateway.payout_id',
  [idPrefixes.refund]: 'gateway.refund_id',
  [idPrefixes.dispute]: 'gateway.dispute_id',
  [idPrefixes.conversion]: 'gateway.conversion_id',
  [idPrefixes.webhook]: 'gateway.webhook_id',
  [idPrefixes.delivery]: 'gateway.delivery_id',
  [idPrefixes.approval]: 'gateway.approval_id',
};
/** Records that have a trace of their own, in which everything about them is linked. */
const tracedRecords = ['gateway.deposit_id', 'gateway.payout_id', 'gateway.conversion_id'] as const;
const idShape = /^([a-z]{3})_([0-9a-hjkmnp-tv-z]{26})$/;

/**
 * The ids in a message, a body or the parameters of a path, as attributes: those among its members and their members. Of
 * two ids of one kind the first counts.
 */
export function idAttributesOf(...values: readonly unknown[]): Attributes {
  const attributes: Attributes = {};
  for (const value of values) collect(value, attributes, 2);
  return attributes;
}

function collect(value: unknown, attributes: Attributes, depth: number): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const member of Object.values(value)) {
    if (typeof member === 'string') note(member, attributes);
    else if (depth > 1) collect(member, attributes, depth - 1);
  }
}

function note(text: string, attributes: Attributes): void {
  const name = attributeNames[idShape.exec(text)?.[1] ?? ''];
  if (name !== undefined) attributes[name] ??= text;
}

/** The trace of the record that a span is about; undefined when it is about none that has one. */
export function recordTraceOf(attributes: Attributes): string | undefined {
  for (const name of tracedRecords) {
    const id = attributes[name];
    if (typeof id === 'string') return traceIdOf(id);
  }
  return undefined;
}

/** The 128 bits of a record's ULID are those of a trace id: nothing has to be stored to find the one from the other. */
export function traceIdOf(id: string): string | undefined {
  const [, , ulid] = idShape.exec(id) ?? [];
  if (ulid === undefined) return undefined;
  let bits = 0n;
  for (const character of ulid) bits = bits * 32n + BigInt(idAlphabet.indexOf(character));
  return bits < 1n << 128n ? bits.toString(16).padStart(32, '0') : undefined;
}

/** A place in the trace of a record, for spans to stand below and to be linked to. */
export function placeInTrace(traceId: string): SpanContext {
  return { traceId, spanId: `${traceId.slice(16, 31)}1`, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}
