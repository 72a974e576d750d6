import { randomUUID } from 'node:crypto';
import { type Command, type Flags, textFlag } from '../command/command.ts';
import { exactly, UsageError } from '../faults/errors.ts';
import { explained } from '../operations/failures.ts';
import { played, type Played } from '../scenarios/play.ts';
import { readScenario, scenarioNames } from '../scenarios/scenario.ts';
import { seed } from '../scenarios/seed.ts';

const group = 'Test mode';
const recordsMax = 1_000;

const runCommand: Command = {
  words: ['run'],
  ids: ['scenario'],
  group,
  summary: 'Plays a scenario: calls one after the other, and what is expected of their answers',
  details: `One of ${scenarioNames().join(', ')}, or a file. Test keys alone.`,
  options: {
    check: { type: 'boolean', about: 'Only says whether the scenario is well formed; without network.' },
  },
  choices: scenarioNames(),
  run: async ({ session, ids, flags }) => {
    const [name] = exactly(ids, 1);
    const scenario = readScenario(name);
    const { output, signal } = session;
    if (flags['check'] === true) return output.talk(`${scenario.name}: ${scenario.steps.length} steps, well formed`);
    session.requireTestKey('run');
    const steps: Played[] = [];
    try {
      const gateway = session.gateway(scenario.contract);
      for await (const step of played(scenario, { gateway, run: randomUUID().slice(0, 8), signal })) {
        steps.push(step);
        if (output.form === 'table') output.talk(`ok  ${step.name}`);
      }
    } catch (error) {
      throw explained(error, { method: 'GET', path: '' }, session.connection.base_url);
    }
    output.list(
      steps.map((step) => ({ ...step })),
      { data: steps },
      ['name', 'call', 'status', 'ms'],
    );
  },
};

const fixturesCommand: Command = {
  words: ['fixtures', 'list'],
  ids: [],
  group,
  summary: 'Lists the scenarios that come with this program',
  options: {},
  run: async ({ session: { output } }) => {
    const rows = scenarioNames().map((name) => {
      const { about, contract, steps } = readScenario(name);
      return { name, contract, steps: steps.length, about };
    });
    output.list(rows, { data: rows }, ['name', 'contract', 'steps', 'about']);
  },
};

const seedCommand: Command = {
  words: ['seed'],
  ids: [],
  group,
  summary: 'Fills the account with deposits and payouts in several states',
  details: 'Test keys alone.',
  options: {
    deposits: { type: 'string', hint: 'NUMBER', about: 'How many; 50.' },
    payouts: { type: 'string', hint: 'NUMBER', about: 'How many; 20.' },
  },
  run: async ({ session, flags }) => {
    const counts = { deposits: countOf(flags, 'deposits', 50), payouts: countOf(flags, 'payouts', 20) };
    session.requireTestKey('seed');
    try {
      session.output.record(await seed(session.gateway('0.1'), counts, session.signal));
    } catch (error) {
      throw explained(error, { method: 'GET', path: '' }, session.connection.base_url);
    }
  },
};

export const scenarioCommands: readonly Command[] = [runCommand, fixturesCommand, seedCommand];

function countOf(flags: Flags, name: string, otherwise: number): number {
  const count = Number(textFlag(flags, name) ?? otherwise);
  if (!Number.isInteger(count) || count < 0 || count > recordsMax)
    throw new UsageError(`--${name} is a whole number, ${recordsMax} at most`);
  return count;
}
