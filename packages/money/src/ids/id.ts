import { createHash } from 'node:crypto';
import { decodeTime, encodeTime, monotonicFactory } from 'ulidx';
import { z } from 'zod';

/** Every id prefix of the product and the record it names (api.md 1). */
export const idPrefixes = {
  account: 'acc',
  deposit: 'dep',
  payout: 'pyt',
  payoutReturn: 'ret',
  ledgerEntry: 'led',
  webhook: 'whk',
  delivery: 'dlv',
  event: 'evt',
  dispute: 'med',
  refund: 'rfd',
  quote: 'qte',
  conversion: 'cnv',
  request: 'req',
  adjustment: 'adj',
  reconciliation: 'rec',
  audit: 'aud',
  deadLetter: 'dlq',
  integration: 'int',
  approval: 'apr',
  treasuryOrder: 'tro',
  exception: 'exc',
  export: 'exp',
  statementFile: 'stf',
  file: 'fil',
  person: 'per',
  session: 'ses',
  invitation: 'inv',
  passkey: 'psk',
  challenge: 'chl',
  stepUp: 'stp',
  signIn: 'sgn',
  serviceToken: 'tok',
} as const;

export type IdKind = keyof typeof idPrefixes;

const idPatterns = Object.fromEntries(
  Object.entries(idPrefixes).map(([kind, prefix]) => [kind, new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)]),
) as Readonly<Record<IdKind, RegExp>>;

const randomPool = new Uint32Array(1_024);
let randomsUsed = randomPool.length;

/** Cryptographic randomness, drawn a thousand at a time: one by one it is most of the cost of an id. */
function random(): number {
  if (randomsUsed === randomPool.length) {
    crypto.getRandomValues(randomPool);
    randomsUsed = 0;
  }
  return (randomPool[randomsUsed++] ?? 0) / 2 ** 32;
}

const nextUlid = monotonicFactory(random);

/**
 * A new id: prefix, underscore, 26 characters of monotonic ULID in lower case.
 * Within one process the order of ids is the order of their creation, even inside one millisecond.
 */
export function newId(kind: IdKind, atMs: number = Date.now()): string {
  return `${idPrefixes[kind]}_${nextUlid(atMs).toLowerCase()}`;
}

/** Crockford's alphabet, as ULIDs are written. */
export const idAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idCharacters = 26;

/** An id that follows from a text: the same text has the same one. It carries no time. */
export function idOf(kind: IdKind, text: string): string {
  let rest = BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 32)}`);
  const characters = Array.from({ length: idCharacters }, () => {
    const character = idAlphabet[Number(rest % 32n)];
    rest /= 32n;
    return character;
  });
  return `${idPrefixes[kind]}_${characters.reverse().join('')}`;
}

/** As `idOf`, with a time as every other id of its kind has one: it stands in their order where something happened then. */
export function idOfTime(kind: IdKind, text: string, atMs: number): string {
  const timeCharacters = 10;
  const time = encodeTime(atMs, timeCharacters).toLowerCase();
  return `${idPrefixes[kind]}_${time}${idOf(kind, text).slice(timeCharacters - idCharacters)}`;
}

/**
 * A sequence of its own for a kind whose ids carry their time exactly: as long as no call passes an earlier time than
 * the call before, the time in the id is `atMs`, and the order of ids is the order of calls.
 */
export function idSequence(kind: IdKind): (atMs: number) => string {
  const next = monotonicFactory(random);
  return (atMs) => `${idPrefixes[kind]}_${next(atMs).toLowerCase()}`;
}

/** Sorts before every id of the kind made at `atMs` or later, and after every earlier one. */
export function idLowerBound(kind: IdKind, atMs: number): string {
  return `${idPrefixes[kind]}_${encodeTime(atMs, 10).toLowerCase()}${'0'.repeat(16)}`;
}

/** When the id was made, Unix milliseconds. */
export function idTimeMs(id: string): number {
  return decodeTime(id.slice(id.indexOf('_') + 1));
}

/** Matches exactly what `newId` makes for that kind. */
export function idSchema(kind: IdKind) {
  return z.string().regex(idPatterns[kind], 'is not a valid id');
}

/** True when the text is a well-formed id of that kind; looking up anything else is a waste of a query. */
export function isId(kind: IdKind, text: string): boolean {
  return idPatterns[kind].test(text);
}
