/**
 * PostgreSQL arrays in the binary format (array_recv): at thousands of values per second, writing and parsing them as
 * quoted text, or as JSON, takes more time than what is done with them.
 */

const oids = { bool: 16, bytea: 17, int8: 20, int4: 23, text: 25, json: 114, timestamptz: 1184, jsonb: 3802 } as const;
/** Dimensions, a flag for nulls, the element's type, its length and lower bound: four bytes each. */
const headerBytes = 20;
const emptyBytes = 12;
const lengthBytes = 4;
const int8Bytes = 8;
const int4Bytes = 4;
const boolBytes = 1;
const nullLength = -1;
/** UTF-8 takes up to three bytes for a unit of UTF-16; two digits in hex are a byte. */
const characterBytesMax = { utf8: 3, hex: 0.5 } as const;
/** Times count in microseconds from the year 2000. */
const epoch2000Ms = Date.UTC(2000, 0, 1);
const microsecondsPerMs = 1_000;
/** jsonb comes with the version of its format in front. */
const jsonbPrefix = '\u0001';

export function textArray(values: readonly (string | null)[]): Buffer {
  return encodedArray(oids.text, values, 'utf8');
}

export function jsonArray(values: readonly string[]): Buffer {
  return encodedArray(oids.json, values, 'utf8');
}

/** @param values JSON in text */
export function jsonbArray(values: readonly (string | null)[]): Buffer {
  const prefixed = values.map((value) => (value === null ? null : jsonbPrefix + value));
  return encodedArray(oids.jsonb, prefixed, 'utf8');
}

/** @param values in hex */
export function byteaArray(values: readonly (string | null)[]): Buffer {
  return encodedArray(oids.bytea, values, 'hex');
}

export function bigintArray(values: readonly (number | null)[]): Buffer {
  return fixedArray(oids.int8, int8Bytes, values, writeSafeInteger);
}

export function integerArray(values: readonly (number | null)[]): Buffer {
  return fixedArray(oids.int4, int4Bytes, values, (array, value, at) => array.writeInt32BE(safeInteger(value), at));
}

export function booleanArray(values: readonly (boolean | null)[]): Buffer {
  return fixedArray(oids.bool, boolBytes, values, (array, value, at) => array.writeUInt8(Number(value), at));
}

export function timestampArray(values: readonly (Date | null)[]): Buffer {
  return fixedArray(oids.timestamptz, int8Bytes, values, (array, value, at) =>
    writeSafeInteger(array, (value.getTime() - epoch2000Ms) * microsecondsPerMs, at),
  );
}

function fixedArray<Value>(
  oid: number,
  bytes: number,
  values: readonly (Value | null)[],
  write: (array: Buffer, value: Value, at: number) => number,
): Buffer {
  const array = Buffer.allocUnsafe(headerBytes + values.length * (lengthBytes + bytes));
  let end = writeHeader(array, oid, values.length);
  for (const value of values) {
    end = array.writeInt32BE(value === null ? nullLength : bytes, end);
    if (value !== null) end = write(array, value, end);
  }
  return array.subarray(0, end);
}

/** What is none would be written as another number, silently. */
function safeInteger(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`);
  return value;
}

/** As two halves: making a BigInt of each number would cost more than writing it. */
function writeSafeInteger(array: Buffer, value: number, at: number): number {
  const high = Math.floor(safeInteger(value) / 2 ** 32);
  return array.writeUInt32BE(value - high * 2 ** 32, array.writeInt32BE(high, at));
}

/** Where arrays of text are written before their length is known. */
let scratch = Buffer.allocUnsafe(0);
/** An array that may be longer has a buffer of its own, which is not kept. */
const scratchBytesMax = 1_048_576;

function scratchOf(bytes: number): Buffer {
  if (bytes <= scratch.length) return scratch;
  const buffer = Buffer.allocUnsafeSlow(bytes);
  if (bytes <= scratchBytesMax) scratch = buffer;
  return buffer;
}

function encodedArray(oid: number, values: readonly (string | null)[], encoding: 'utf8' | 'hex'): Buffer {
  let size = headerBytes;
  // At most: asking each text for its bytes takes as long as writing it.
  for (const value of values) size += lengthBytes + (value === null ? 0 : value.length * characterBytesMax[encoding]);
  const array = scratchOf(size);
  let end = writeHeader(array, oid, values.length);
  for (const value of values) {
    if (value === null) {
      end = array.writeInt32BE(nullLength, end);
      continue;
    }
    const length = array.write(value, end + lengthBytes, encoding);
    array.writeInt32BE(length, end);
    end += lengthBytes + length;
  }
  // A copy of what was written: buffers three times as long make V8 collect its whole heap for their sake.
  return Buffer.from(array.subarray(0, end));
}

/** An array without elements has no dimension. */
function writeHeader(array: Buffer, oid: number, length: number): number {
  array.writeInt32BE(length === 0 ? 0 : 1, 0);
  array.writeInt32BE(1, 4);
  array.writeInt32BE(oid, 8);
  if (length === 0) return emptyBytes;
  array.writeInt32BE(length, 12);
  array.writeInt32BE(1, 16);
  return headerBytes;
}
