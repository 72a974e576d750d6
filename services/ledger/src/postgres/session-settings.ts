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

/**
 * Settings of sessions that answer reads. By default PostgreSQL plans a page of the statement over every month's
 * partition for each read, which costs several times the read itself. Sequential scans are off because the kept plan
 * may have been made when the tables were empty.
 */
export const readSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' } as const;
