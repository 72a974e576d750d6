import type { Session } from '../calls/session.ts';
import type { Command } from '../command/command.ts';
import { exitCodeOf, ExpectationError, NoConnectionError } from '../faults/errors.ts';
import { explained } from '../operations/failures.ts';

interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly detail: string;
}

/** Signatures are refused 300 s away; 5 s are noticed long before. */
const clockToleranceSec = 5;

export const doctorCommand: Command = {
  words: ['doctor'],
  ids: [],
  group: 'About',
  summary: 'Checks address, clock, key and webhooks, and says what to mend',
  options: {},
  run: async ({ session }) => {
    const found = { problem: undefined as unknown };
    const findings: Finding[] = [];
    for (const [check, examine] of checks) {
      if (found.problem !== undefined) {
        findings.push({ check, status: 'skipped', detail: 'after what failed' });
        continue;
      }
      try {
        findings.push({ check, status: 'ok', detail: await examine(session) });
      } catch (error) {
        if (exitCodeOf(error) === 1) throw error;
        found.problem = error;
        findings.push({ check, status: 'failed', detail: (error as Error).message });
      }
    }
    session.output.list(
      findings.map((finding) => ({ ...finding })),
      { data: findings },
      ['check', 'status', 'detail'],
    );
    if (found.problem !== undefined) throw found.problem as Error;
  },
};

type Check = readonly [name: string, examine: (session: Session) => Promise<string>];

const checks: readonly Check[] = [
  [
    'profile',
    async ({ connection: { name, environment, base_url } }) =>
      `${name ?? 'the environment'}, ${environment}, ${base_url}`,
  ],
  ['reachable', async (session) => `answers with ${(await healthOf(session)).status}`],
  [
    'clock',
    async (session) => {
      const sentAt = Date.now();
      const dateSec = Date.parse((await healthOf(session)).headers.get('date') ?? '') / 1_000;
      if (Number.isNaN(dateSec)) throw new ExpectationError('the answer has no Date header');
      const awaySec = Math.max(0, dateSec - Math.ceil(Date.now() / 1_000), Math.floor(sentAt / 1_000) - dateSec);
      const shown = `${awaySec} s away from the gateway's`;
      if (awaySec > clockToleranceSec) throw new ExpectationError(`${shown}: set the clock, signatures depend on it`);
      return shown;
    },
  ],
  [
    'key',
    async (session) => {
      const account = await calling(session, '/v1/account', () => session.gateway('0.1').account.get());
      return `of ${account.name} (${account.id})`;
    },
  ],
  [
    'webhooks',
    async (session) => {
      const { environment } = session.connection;
      const { data } = await calling(session, '/v1/webhooks', () => session.gateway('0.1').webhooks.list());
      const wrong = data.flatMap(({ id, url, status }) => {
        if (status === 'disabled') return [`${id} is disabled: gateway webhooks update ${id} --status enabled`];
        return environment === 'live' && !url.startsWith('https://') ? [`${id} is not https`] : [];
      });
      if (wrong.length > 0) throw new ExpectationError(wrong.join('; '));
      return data.length === 0 ? 'none is registered: `gateway listen` needs none' : `${data.length} registered`;
    },
  ],
];

async function healthOf(session: Session): Promise<Response> {
  const url = `${session.connection.base_url}/health`;
  try {
    const signal = AbortSignal.any([session.signal, AbortSignal.timeout(session.timeoutMs)]);
    const response = await fetch(url, { signal, redirect: 'manual' });
    await response.arrayBuffer();
    return response;
  } catch (error) {
    throw new NoConnectionError(`no connection to ${url}`, { cause: error });
  }
}

async function calling<Answer>(session: Session, path: string, call: () => PromiseLike<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw explained(error, { method: 'GET', path }, session.connection.base_url);
  }
}
