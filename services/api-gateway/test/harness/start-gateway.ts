import { streams } from '@gateway/contracts/broker';
import { type Bus, ensureStreams, type RpcRoute, serveRpc } from '@gateway/messaging';
import { type Database, kitMigrations } from '@gateway/persistence';
import type { ApprovalResource } from '@gateway/public-api';
import { Readiness } from '@gateway/runtime';
import { createTestBus, createTestDatabase, silentLogger, testBusSecretsKey, testNatsUrl } from '@gateway/test-kit';
import { AccountEntity } from '#src/accounts/account.ts';
import { ApiKeyEntity } from '#src/accounts/api-key.ts';
import { ApprovalEntity } from '#src/approvals/approval.ts';
import { AuditEntity } from '#src/approvals/audit.ts';
import { AdjustmentEntity } from '#src/proposals/adjustment.ts';
import { startService } from '#src/service.ts';
import { migrations } from '../../migrations/index.ts';

export const operatorTokens = { ana: 'token-of-ana-0123456789', bruno: 'token-of-bruno-0123456789' } as const;

/** What link tokens are signed under. */
export const secretsKey = Buffer.alloc(32, 7);

export interface KeyPair {
  readonly public_key: string;
  readonly secret_key: string;
}

/** The members of bodies that tests look at one by one; which of them are there depends on the answer. */
export interface Shown extends KeyPair {
  readonly recipient_is_new: boolean | null;
  readonly id: string;
  readonly status: string;
  readonly external_id: string;
  readonly document: string;
  readonly secret: string;
  readonly ip_allowlist: readonly string[];
  readonly created_at: number;
  readonly expires_at: number;
  readonly target: string;
  readonly data: readonly Shown[];
  readonly balances: unknown;
  readonly next_cursor: string;
  readonly approval: ApprovalResource & { readonly outcome: KeyPair & { readonly claim_url: string } };
  readonly exception: { readonly status: string; readonly proposal: { readonly approval_id: string } };
  readonly payout: { readonly recipient: { readonly email: string | null } };
  readonly errors: readonly string[];
  readonly note: unknown;
  readonly signed_off: unknown;
  readonly unexplained: unknown;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: readonly { readonly path: string; readonly message: string }[];
    readonly request_id: string;
    readonly payout_id: string;
  };
}

/** An answer with its body read. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Shown;
}

export interface RequestParts {
  readonly headers?: Record<string, string>;
  /** Sent as JSON, unless it is text already. */
  readonly body?: unknown;
}

export interface GatewayUnderTest extends AsyncDisposable {
  readonly baseUrl: string;
  readonly opsUrl: string;
  readonly consoleUrl: string;
  readonly bus: Bus;
  readonly database: Database;
  readonly readiness: Readiness;
  readonly stop: () => Promise<void>;
  readonly call: (method: string, path: string, parts?: RequestParts) => Promise<Answered>;
  readonly asMerchant: (key: KeyPair, method: string, path: string, parts?: RequestParts) => Promise<Answered>;
  readonly asOperator: (method: string, path: string, parts?: RequestParts) => Promise<Answered>;
  /** By the second operator's token; `asOperator` is the first's. */
  readonly asSecond: (method: string, path: string, parts?: RequestParts) => Promise<Answered>;
  /** Calls on another gateway beside this one, on the same database and bus; it ends with this one. */
  readonly startReplica: () => Promise<Replica>;
  readonly newAccount: (settings?: object) => Promise<{ id: string; test: KeyPair; live: KeyPair }>;
}

type Replica = Pick<GatewayUnderTest, 'call' | 'asMerchant' | 'asOperator' | 'asSecond' | 'opsUrl' | 'consoleUrl'>;

/** A gateway on real PostgreSQL and NATS; its neighbours are rpc responders given by the test. */
export async function startGateway(
  peers: readonly RpcRoute[] = [],
  environment: Record<string, string> = {},
): Promise<GatewayUnderTest> {
  await using stack = new AsyncDisposableStack();
  const entities = [AccountEntity, AdjustmentEntity, ApiKeyEntity, ApprovalEntity, AuditEntity];
  const schema = { entities, migrations: [...kitMigrations, ...migrations] };
  const { url, database } = stack.use(await createTestDatabase('api-gateway', schema));
  const bus = stack.use(await createTestBus());
  await ensureStreams(bus, Object.values(streams), silentLogger);
  stack.use(await serveRpc(bus, peers, silentLogger));
  const readiness = new Readiness();
  const env = {
    DATABASE_URL: url,
    NATS_URL: testNatsUrl(),
    PORT: '0',
    OPS_PORT: '0',
    CONSOLE_PORT: '0',
    OPS_OPERATORS: JSON.stringify(Object.entries(operatorTokens).map(([name, token]) => ({ name, token }))),
    COMPAT_URL: 'http://127.0.0.1:1',
    SECRETS_KEY: secretsKey.toString('base64'),
    BUS_SECRETS_KEY: testBusSecretsKey,
    // As in a local stack: tests without an interest in the link have the secret from the approval.
    DEV_LOGIN: 'true',
    ...environment,
  };
  const { signal } = new AbortController();
  const start = (ready: Readiness) =>
    startService({ name: 'api-gateway', logger: silentLogger, readiness: ready, signal, env });
  const gateway = stack.use(await start(readiness));
  readiness.started();
  const baseUrl = `http://127.0.0.1:${gateway.publicPort}`;
  const opsUrl = `http://127.0.0.1:${gateway.operatorPort}`;
  const consoleUrl = `http://127.0.0.1:${gateway.memberPort}`;
  const clients = clientsOf(baseUrl, opsUrl);
  const running = stack.move();
  const startReplica = async () => {
    const replica = running.use(await start(new Readiness()));
    const at = (port: number) => `http://127.0.0.1:${port}`;
    const urls = { opsUrl: at(replica.operatorPort), consoleUrl: at(replica.memberPort) };
    return { ...clientsOf(at(replica.publicPort), urls.opsUrl), ...urls };
  };
  const stop = async (): Promise<void> => gateway[Symbol.asyncDispose]();
  return {
    ...{ baseUrl, opsUrl, consoleUrl, bus, database, readiness, stop, startReplica, ...clients },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function clientsOf(baseUrl: string, opsUrl: string) {
  const call = (method: string, path: string, parts?: RequestParts) => send(`${baseUrl}${path}`, method, parts);
  const asMerchant = (key: KeyPair, method: string, path: string, parts: RequestParts = {}) =>
    call(method, path, {
      ...parts,
      headers: { 'x-api-key': key.public_key, 'x-api-secret': key.secret_key, ...parts.headers },
    });
  const asOperator = (method: string, path: string, parts: RequestParts = {}) =>
    send(`${opsUrl}${path}`, method, {
      ...parts,
      headers: { authorization: `Bearer ${operatorTokens.ana}`, ...parts.headers },
    });
  const asSecond = (method: string, path: string, parts: RequestParts = {}) =>
    asOperator(method, path, {
      ...parts,
      headers: { authorization: `Bearer ${operatorTokens.bruno}`, ...parts.headers },
    });
  const newAccount = async (settings: object = {}) => {
    const account = await asOperator('POST', '/ops/accounts', { body: { name: 'Loja', ...settings } });
    const keys = `/ops/accounts/${account.body.id}/keys`;
    const test = await asOperator('POST', keys, { body: { environment: 'test' } });
    const { approval } = (await asOperator('POST', keys, { body: { environment: 'live' } })).body;
    const issued = await asSecond('POST', `/ops/approvals/${approval.id}/approve`);
    return { id: account.body.id, test: test.body, live: issued.body.approval.outcome };
  };
  return { call, asMerchant, asOperator, asSecond, newAccount };
}

async function send(url: string, method: string, { headers = {}, body }: RequestParts = {}): Promise<Answered> {
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined || hasType ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const shown = JSON.parse(isJson ? text : '{}') as Shown;
  return { status: response.status, headers: response.headers, text, body: shown };
}
