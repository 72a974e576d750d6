import type { Provider, ProviderBalance, ReconciliationCheck, ReconciliationStatus } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What a result means for its reader. */
export const resultToneOf: Readonly<Record<ReconciliationStatus, Tone>> = { OK: 'good', DISCREPANCY: 'bad' };

/** The checks that found something. */
export function failedOf(checks: readonly ReconciliationCheck[]): readonly ReconciliationCheck[] {
  return checks.filter(({ status }) => status !== 'OK');
}

/** As people read them: what found something first. */
export function failedFirst(checks: readonly ReconciliationCheck[]): readonly ReconciliationCheck[] {
  return [...failedOf(checks), ...checks.filter(({ status }) => status === 'OK')];
}

/** What a provider holds of a currency, with what is on its way in the smallest unit: at least, and at most. */
interface Holding extends ProviderBalance {
  readonly provider: string;
  readonly least: number;
  readonly most: number;
}

/** What each live provider holds, one row for each of its currencies; the largest difference first. */
export function holdingsOf(providers: readonly Provider[]): readonly Holding[] {
  const rows = providers.flatMap(({ id, balances }) =>
    balances.map((balance) => ({
      ...balance,
      provider: id,
      least: balance.in_flight.reduce((sum, { at_least_cents: cents }) => sum + cents, 0),
      most: balance.in_flight.reduce((sum, { at_most_cents: cents }) => sum + cents, 0),
    })),
  );
  const size = ({ difference_cents: difference }: Holding) => Math.abs(difference ?? 0);
  return rows.sort((one, other) => size(other) - size(one));
}
