/**
 * PostgreSQL arrays in the binary format (array_recv): at thousands of values per batch, writing and parsing them as
 * quoted text would take more time than anything else the writer does.
 */

const oids = { bytea: 17, int8: 20, text: 25, json: 114 } as const;
/** Dimensions, a flag for nulls, the element's type, its length and lower bound: four bytes each. */
const headerBytes = 20;
const emptyBytes = 12;
const lengthBytes = 4;
const int8Bytes = 8;
const nullLength = -1;

export function textArray(values: readonly (string | null)[]): Buffer {
  return encodedArray(oids.text, values, 'utf8');
}

export function jsonArray(values: readonly string[]): Buffer {
  return encodedArray(oids.json, values, 'utf8');
}

/** @param values in hex */
export function byteaArray(values: readonly string[]): Buffer {
  return encodedArray(oids.bytea, values, 'hex');
}

export function bigintArray(values: readonly (number | null)[]): Buffer {
  const array = Buffer.allocUnsafe(headerBytes + values.length * (lengthBytes + int8Bytes));
  let end = writeHeader(array, oids.int8, values.length);
  for (const value of values) {
    end = array.writeInt32BE(value === null ? nullLength : int8Bytes, end);
    if (value !== null) end = writeSafeInteger(array, value, end);
  }
  return array.subarray(0, end);
}

/** As two halves: making a BigInt of each number would cost more than writing it. */
function writeSafeInteger(array: Buffer, value: number, at: number): number {
  const high = Math.floor(value / 2 ** 32);
  return array.writeUInt32BE(value - high * 2 ** 32, array.writeInt32BE(high, at));
}

function encodedArray(oid: number, values: readonly (string | null)[], encoding: 'utf8' | 'hex'): Buffer {
  let size = headerBytes;
  for (const value of values) size += lengthBytes + (value === null ? 0 : Buffer.byteLength(value, encoding));
  const array = Buffer.allocUnsafe(size);
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
  return array.subarray(0, end);
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
