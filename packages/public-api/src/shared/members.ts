import { z } from 'zod';
import { metadataValueSchema } from '@gateway/contracts/values';
import { type IdKind, idPrefixes } from '@gateway/money';

// The words in which members of records are described, so that one kind of value is described in one way everywhere.

/** Whole numbers of the smallest unit of a currency. */
export function minorUnits(what: string, example = 1_990) {
  return z.int().meta({ description: `${what} In the smallest unit of the currency.`, examples: [example] });
}

export function unixSeconds(what: string, example = 1_767_348_000) {
  return z.int().meta({ description: `${what} In Unix seconds.`, 'x-unit': 'unix-seconds', examples: [example] });
}

export function isoTime(what: string, example = '2026-01-02T10:04:37.250Z') {
  const description = `${what} ISO 8601 in UTC, with milliseconds.`;
  return z.string().meta({ description, format: 'date-time', examples: [example] });
}

/** Ids have their form in descriptions alone: what is sent has been made by us. */
export function recordId(kind: IdKind, what: string) {
  const prefix = idPrefixes[kind];
  const pattern = `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;
  return z.string().meta({ description: what, pattern, examples: [`${prefix}_01k9z3m4v6t8x0a2c4e6g8jk01`] });
}

export function text(what: string, example: string) {
  return z.string().meta({ description: what, examples: [example] });
}

export function count(what: string, example = 1) {
  return z.int().meta({ description: what, examples: [example] });
}

export function flag(what: string) {
  return z.boolean().meta({ description: what });
}

/** The name of the kind of a record, in each record. */
export function objectName<const Name extends string>(name: Name) {
  return z.literal(name).meta({ description: `Always \`${name}\`.` });
}

/** The `metadata` of a record. */
export function shownMetadata() {
  const description = 'What the creating call gave as `metadata`, returned as it was given.';
  return z.record(z.string(), metadataValueSchema).meta({ description, examples: [{ cart: '77' }] });
}
