import { setTimeout as pass } from 'node:timers/promises';
import type { Fault } from './fault.ts';

const hourMs = 3_600_000;

/** The clock of one service jumps by an hour, forward or back, and later returns. */
export const clockOff: Fault = {
  name: 'clock off',
  victims: ({ services }) => services,
  strike: async ({ stage, victim, durationMs, random }) => {
    stage.shiftClock(victim, random.pick([hourMs, -hourMs]));
    await pass(durationMs);
    stage.shiftClock(victim, 0);
  },
};
