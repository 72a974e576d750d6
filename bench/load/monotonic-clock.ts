/** Milliseconds of the machine's monotonic clock: comparable between processes, unlike `performance.now()`. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
