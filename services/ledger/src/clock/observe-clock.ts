import { counter, gauge } from '@gateway/runtime';
import type { ClockProblem } from '#src/clock/clock-problem.ts';
import type { WriterClock } from '#src/clock/writer-clock.ts';

export const clockProblems: readonly ClockProblem[] = ['process', 'postgresql', 'unknown', 'head'];

export const clockRefusals = counter(
  'gateway_ledger_clock_refusals_total',
  'Times nothing was decided because clocks disagreed, by shard and whose is wrong',
  ['shard', 'problem'],
);

/** How far the clocks are from this process's, in seconds, until disposed. */
export function observeClock(shard: string, clock: WriterClock): Disposable {
  const name = 'gateway_ledger_clock_offset_seconds';
  const help = "How far this writer's clock is ahead of the one it is compared with";
  const stack = new DisposableStack();
  stack.use(gauge(name, help, () => clock.offsetMs / 1_000, { shard, against: 'postgresql' }));
  stack.use(gauge(name, help, () => -clock.brokerAheadMs / 1_000, { shard, against: 'broker' }));
  return stack;
}
