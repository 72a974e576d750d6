import type { Fault } from './fault.ts';

/** PostgreSQL is restarted, in good order or as after a crash. */
export const databaseRestarted: Fault = {
  name: 'database restarted',
  victims: () => ['postgres'],
  strike: async ({ stage, random }) => await stage.stack.postgres.restart(random.pick(['orderly', 'crash'] as const)),
};
