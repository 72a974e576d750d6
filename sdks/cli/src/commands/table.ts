import type { Command } from '../command/command.ts';
import { candidatesFor } from '../command/completion.ts';
import { referenceOf } from '../command/reference.ts';
import { readConfig } from '../settings/profiles.ts';
import { aboutCommands } from './about.ts';
import { accountCommands } from './account.ts';
import { apiCommand } from './api.ts';
import { doctorCommand } from './doctor.ts';
import { eventCommands } from './events.ts';
import { listenCommand } from './listen.ts';
import { logsCommand } from './logs.ts';
import { operationCommands } from './operations.ts';
import { scenarioCommands } from './scenarios.ts';
import { signingCommands } from './signing.ts';
import { triggerCommand } from './trigger.ts';

const hidden: readonly Command[] = [
  {
    words: ['complete'],
    ids: ['word…?'],
    group: 'About',
    summary: 'What may stand in the place of the last word; shells ask for it',
    options: {},
    hidden: true,
    run: async ({ session: { variables, output }, ids }) => {
      const profiles = () => Object.keys(readConfig(variables).profiles);
      for (const candidate of candidatesFor(table, ids, profiles)) output.line(candidate);
    },
  },
  {
    words: ['reference'],
    ids: [],
    group: 'About',
    summary: 'The page of all commands',
    options: {},
    hidden: true,
    run: async ({ session: { output } }) => output.raw(referenceOf(table)),
  },
];

/** Every command, in the order of help: help, completion and the reference are made of it. */
export const table: readonly Command[] = [
  ...accountCommands,
  ...operationCommands,
  apiCommand,
  listenCommand,
  triggerCommand,
  ...eventCommands,
  ...scenarioCommands,
  ...signingCommands,
  logsCommand,
  ...aboutCommands,
  doctorCommand,
  ...hidden,
];
