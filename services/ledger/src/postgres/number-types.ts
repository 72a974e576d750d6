import { TypeOverrides } from 'pg';

const int8 = 20;

/** For connections of our own: int8 as a number. Amounts are safe integers; another one is a corruption. */
export function numberTypes(): TypeOverrides {
  const types = new TypeOverrides();
  types.setTypeParser(int8, safeInteger);
  return types;
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is not a safe integer`);
  return value;
}
