import { Readiness } from '@gateway/runtime';
import { createTestDatabase, silentLogger, type TestDatabase } from '@gateway/test-kit';
import { Charge } from '#src/account/charge.ts';
import { AccessToken } from '#src/bacen/oauth.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { startService, type Simulator } from '#src/service.ts';

export const clientId = 'Client_Id_test';
export const clientSecret = 'Client_Secret_test: with a colon';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface RunningSimulator extends AsyncDisposable {
  readonly testDatabase: TestDatabase;
  readonly readiness: Readiness;
  /** Of the process that runs now. */
  readonly url: string;
  call(path: string, init?: RequestInit): Promise<Answer>;
  /** A call with a token in force. */
  authorized(method: string, path: string, body?: unknown): Promise<Answer>;
  restart(): Promise<void>;
}

/** The simulator as it runs, on real PostgreSQL. */
export async function runSimulator(): Promise<RunningSimulator> {
  await using stack = new AsyncDisposableStack();
  const schema = { entities: [Charge, AccessToken], migrations };
  const testDatabase = stack.use(await createTestDatabase('psp-simulator', schema));
  const readiness = new Readiness();
  const start = async (): Promise<Simulator> => {
    const env = {
      DATABASE_URL: testDatabase.url,
      PORT: '0',
      BACEN_CLIENT_ID: clientId,
      BACEN_CLIENT_SECRET: clientSecret,
    };
    const signal = new AbortController().signal;
    return await startService({ name: 'psp-simulator', env, logger: silentLogger, readiness, signal });
  };
  let simulator = await start();
  stack.defer(() => simulator[Symbol.asyncDispose]());
  const call = async (path: string, init?: RequestInit) =>
    answerOf(await fetch(`http://127.0.0.1:${simulator.port}${path}`, init));
  const { body } = await call('/oauth/token', tokenRequest());
  const authorization = `Bearer ${String(body['access_token'])}`;
  const running = stack.move();
  return {
    ...{ testDatabase, readiness, call },
    get url() {
      return `http://127.0.0.1:${simulator.port}`;
    },
    authorized: (method, path, sent) =>
      call(path, {
        method,
        headers: { authorization, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      }),
    restart: async () => {
      await simulator[Symbol.asyncDispose]();
      simulator = await start();
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Efí's way to ask for a token. */
export function tokenRequest(credentials = `${clientId}:${clientSecret}`): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: basic(credentials), 'content-type': 'application/json' },
    body: '{"grant_type":"client_credentials"}',
  };
}

export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

async function answerOf(response: Response): Promise<Answer> {
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}
