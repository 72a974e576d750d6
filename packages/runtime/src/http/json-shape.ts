/**
 * Deepest nesting of lists and objects that is parsed. The records of this interface have five levels; a parser pays
 * for each level with stack and time, before any schema has seen the value.
 */
export const jsonNestingLevelsMax = 32;

/** What a JSON text looks like from outside, found in one pass over its bytes and without parsing it. */
export interface JsonShape {
  readonly isTooDeep: boolean;
  /** Whether a number is written with an exponent: `1e2`. */
  readonly hasExponent: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const lowerE = 0x65;
/** Sets the bit in which lower case differs from upper case. */
const toLower = 0x20;

/** Stops at the first level too deep. Whether the text is JSON at all is left to the parser. */
export function jsonShapeOf(bytes: Uint8Array): JsonShape {
  let levels = 0;
  let inText = false;
  let hasExponent = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (inText) {
      if (byte === backslash) index += 1;
      else if (byte === quote) inText = false;
    } else if (byte === quote) {
      inText = true;
    } else if (byte === openBrace || byte === openBracket) {
      levels += 1;
      if (levels > jsonNestingLevelsMax) return { isTooDeep: true, hasExponent };
    } else if (byte === closeBrace || byte === closeBracket) {
      levels -= 1;
    } else if ((byte | toLower) === lowerE && isDigit(bytes[index - 1] ?? 0)) {
      hasExponent = true;
    }
  }
  return { isTooDeep: false, hasExponent };
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
