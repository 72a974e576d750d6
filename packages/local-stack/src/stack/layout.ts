import { join } from 'node:path';
import type { ProcessDefinition } from '#src/processes/supervised-process.ts';
import { StartFailure } from '#src/progress.ts';
import { gatewayServices } from '#src/stack/gateway-services.ts';
import { repository, type StateDirectory } from '#src/state-directory.ts';

/** `apart`: a process for each service. `together`: one for all of the product (ADR 20). */
export type Layout = 'apart' | 'together';

/** The process of `together`. The simulator is no part of the product and stays on its own. */
const sharedName = 'gateway';
const shared: ReadonlySet<string> = new Set(
  gatewayServices.map(({ name }) => name).filter((name) => name !== 'psp-simulator'),
);

const togetherScript = join(repository, 'packages/runtime/src/run/together.ts');

/** @throws StartFailure naming the variable */
export function layoutFromEnvironment(): Layout {
  const text = process.env.GATEWAY_LAYOUT || 'apart';
  if (text === 'apart' || text === 'together') return text;
  throw new StartFailure(`GATEWAY_LAYOUT is ${text}: it must be apart or together`);
}

/** The name of the process that runs a service. */
export function processOf(service: string, layout: Layout): string {
  return layout === 'together' && shared.has(service) ? sharedName : service;
}

/** The processes that run services, each of which could be one itself. */
export function processesOf(
  services: readonly ProcessDefinition[],
  layout: Layout,
  home: StateDirectory,
): readonly ProcessDefinition[] {
  const members = services.filter(({ name }) => processOf(name, layout) !== name);
  const others = services.filter((service) => !members.includes(service));
  return members.length === 0 ? others : [sharedProcess(members, home), ...others];
}

/**
 * One process in the place of those of several services. What they all have in common in their environments it has itself;
 * everything else carries the name of its service, and is handed to that service alone.
 */
function sharedProcess(members: readonly ProcessDefinition[], home: StateDirectory): ProcessDefinition {
  const [first] = members;
  if (!first) throw new Error('a process without a service');
  const nodeOptions = first.args.slice(0, -1);
  const scripts = members.flatMap(({ args }) => args.slice(-1));
  return {
    ...first,
    name: sharedName,
    args: [...nodeOptions, togetherScript, ...scripts],
    env: sharedEnvironment(members),
    cwd: repository,
    logFile: home.logFile(sharedName),
    tier: Math.max(...members.map(({ tier }) => tier)),
    isReady: async () => (await Promise.all(members.map((member) => member.isReady()))).every(Boolean),
  };
}

function sharedEnvironment(members: readonly ProcessDefinition[]): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const { name, env: own } of members) {
    for (const [variable, value] of Object.entries(own)) {
      const isCommon = members.every((member) => member.env[variable] === value);
      env[isCommon ? variable : `${name.toUpperCase().replaceAll('-', '_')}__${variable}`] = value;
    }
  }
  return env;
}
