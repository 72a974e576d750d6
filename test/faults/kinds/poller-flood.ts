import { setTimeout as pass } from 'node:timers/promises';
import { SimulatedBank } from '../load/simulated-bank.ts';
import type { Fault } from './fault.ts';

/** By the second; Woovi describes no paging of its list, so that no more fit a window that can be read. */
const perSecond: Readonly<Record<string, number>> = { bacen: 40, efi: 40, woovi: 8 };
const floodSec = 60;
const unreadable = 3;
/**
 * What lines of the money of others show, in minor units: each payment is of one, and one transfer takes all of them away.
 * No record has them, so operators would dismiss them.
 */
export const amountsOfOthers: readonly number[] = [1, ...Object.values(perSecond).map((count) => -count * floodSec)];
const lostMax = 10;

/**
 * Thousands of payments of others come to the same account, a few of them unreadable, while notifications of ours are
 * lost: what is ours is found in the provider's lists all the same.
 */
export const pollerFlood: Fault = {
  name: 'poller flood',
  readsLists: true,
  victims: () => ['bacen', 'efi', 'woovi'],
  strike: async ({ stage, victim: dialect, durationMs, random }) => {
    const bank = new SimulatedBank(stage.stack.simulatorUrl);
    const lost = { dialect, operation: 'notification', fault: 'lost', times: random.integer(1, lostMax) };
    await bank.control('/faults', lost);
    await bank.control('/flood', {
      ...{ dialect, unreadable, over_sec: floodSec },
      payments: (perSecond[dialect] ?? 1) * floodSec,
    });
    await pass(durationMs);
    await bank.removeFaults();
  },
};
