import type { ExplainedShare, UnexplainedSum } from '#src/generated/types.gen.ts';

/** Of a million movements, so many are to be explained within five minutes. */
const promisedPpm = 999_900;

/** Whether as much is explained in time as was promised. */
export function isKept(sharePpm: number): boolean {
  return sharePpm >= promisedPpm;
}

type Account = Pick<ExplainedShare, 'provider' | 'currency' | 'environment'>;

/** What is not explained of all accounts, the oldest first. */
export function sumsOf(shares: readonly ExplainedShare[]): readonly (UnexplainedSum & Account)[] {
  return shares
    .flatMap(({ provider, currency, environment, unexplained }) =>
      unexplained.map((sum) => ({ ...sum, provider, currency, environment })),
    )
    .sort((one, other) => Date.parse(one.oldest_at) - Date.parse(other.oldest_at));
}
