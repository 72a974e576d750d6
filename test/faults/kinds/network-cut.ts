import { setTimeout as pass } from 'node:timers/promises';
import type { Fault } from './fault.ts';

/** One service cannot reach the broker, or its database: refused and reset, or not a word and no error either. */
function cutFrom(name: string, to: 'broker' | 'database'): Fault {
  return {
    name,
    victims: ({ services }) => services,
    strike: async ({ stage, victim, durationMs, random }) => {
      const links = stage.links(victim, to);
      const manner = random.pick(['reset', 'silence'] as const);
      for (const link of links) link.cut(manner);
      await pass(durationMs);
      for (const link of links) link.heal();
    },
  };
}

export const cutFromBroker = cutFrom('cut from broker', 'broker');
export const cutFromDatabase = cutFrom('cut from database', 'database');
