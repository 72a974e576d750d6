import { spawn } from 'node:child_process';
import { version as sdkVersion } from '@gateway/sdk';
import type { Session } from '../calls/session.ts';
import { version } from '../calls/version.ts';
import type { Command } from '../command/command.ts';
import { completionScripts } from '../command/completion.ts';
import { exactly, UsageError } from '../faults/errors.ts';
import { explained } from '../operations/failures.ts';

const group = 'About';

type Shell = keyof typeof completionScripts;
const shells = Object.keys(completionScripts) as Shell[];

export const aboutCommands: readonly Command[] = [
  {
    words: ['open', 'docs'],
    ids: [],
    group,
    summary: 'The documentation, as the gateway in use serves it',
    options: {},
    run: async ({ session }) => open(session, `${session.connection.base_url}/docs`),
  },
  {
    words: ['open', 'console'],
    ids: [],
    group,
    summary: 'The console of merchants',
    options: {},
    run: async ({ session }) => {
      const { console_url: url } = session.connection;
      if (url === undefined)
        throw new UsageError('the address of the console is known for `gateway login --local` alone');
      open(session, url);
    },
  },
  {
    words: ['open', 'page'],
    ids: ['deposit'],
    group,
    summary: 'The hosted page of a deposit, as its payer sees it',
    options: {},
    run: async ({ session, ids }) => {
      const [id] = exactly(ids, 1);
      const path = `/v1/deposits/${id}`;
      try {
        const deposit = await session.gateway('0.1').deposits.get(id, { signal: session.signal });
        if (deposit.payment_url === null) throw new UsageError(`${id} has no page`);
        open(session, deposit.payment_url);
      } catch (error) {
        throw explained(error, { method: 'GET', path }, session.connection.base_url);
      }
    },
  },
  {
    words: ['completion'],
    ids: ['shell'],
    group,
    summary: `A script by which ${shells.join(', ')} complete what is typed`,
    details: 'For bash: add `source <(gateway completion bash)` to ~/.bashrc.',
    options: {},
    choices: shells,
    run: async ({ session: { output }, ids }) => {
      const [given] = exactly(ids, 1);
      const shell = shells.find((each) => each === given);
      if (shell === undefined) throw new UsageError(`there is a script for ${shells.join(', ')}`);
      output.raw(completionScripts[shell]);
    },
  },
  {
    words: ['version'],
    ids: [],
    group,
    summary: 'The versions of this program and of what it runs on',
    options: {},
    run: async ({ session: { output } }) => {
      output.record({ gateway: version, sdk: sdkVersion, node: process.versions.node, platform: process.platform });
    },
  },
];

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Prints an address and, where a person sits at it, opens it. An address that no program opens stands there to be clicked. */
function open({ output }: Session, url: string): void {
  if (!/^https?:\/\//.test(url)) throw new UsageError(`${url} is no address`);
  output.line(url);
  if (!output.isTerminal) return;
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
