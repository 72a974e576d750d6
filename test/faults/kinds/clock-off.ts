import { setTimeout as pass } from 'node:timers/promises';
import type { Fault } from './fault.ts';

const hourMs = 3_600_000;
const fortyDaysMs = 40 * 24 * hourMs;

/** The clock of one service jumps by an hour, forward or back, that of the ledger also by forty days, and later returns. */
export const clockOff: Fault = {
  name: 'clock off',
  victims: ({ services }) => services,
  strike: async ({ stage, victim, durationMs, random }) => {
    stage.shiftClock(victim, random.pick([hourMs, -hourMs, ...(victim === 'ledger' ? [fortyDaysMs] : [])]));
    await pass(durationMs);
    stage.shiftClock(victim, 0);
  },
};
