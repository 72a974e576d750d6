/** What an account pays per operation, as it is answered. */
interface FeeSchedule {
  /** In the smallest unit of the currency. */
  readonly fixed_cents: number;
  /** Hundredths of a percent of the amount. */
  readonly bps: number;
}

const whole = 10_000n;

/** The fee of an amount, rounded half up to the smallest unit, as the gateway takes it (api.md 5). */
export function feeOf(amount: number, { fixed_cents: fixed, bps }: FeeSchedule): number {
  return fixed + Number((BigInt(amount) * BigInt(bps) * 2n + whole) / (whole * 2n));
}
