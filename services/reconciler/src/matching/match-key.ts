import type { Environment } from '@gateway/contracts/values';
import { RowArrays } from '@gateway/persistence';

/** Names one match. */
export interface MatchKey {
  readonly environment: Environment;
  readonly provider: string;
  readonly currency: string;
  readonly subject: string;
}

export const keyArrays = new RowArrays<keyof MatchKey>([
  ['environment', 'text'],
  ['provider', 'text'],
  ['currency', 'text'],
  ['subject', 'text'],
]);

/** Whether rows of two tables are of one match, as an SQL condition. */
export function isSameMatch(one: string, other: string): string {
  return `(${one}.environment, ${one}.provider, ${one}.currency, ${one}.subject)
    = (${other}.environment, ${other}.provider, ${other}.currency, ${other}.subject)`;
}
