import { randomBytes } from 'node:crypto';
import { authenticateKey, getCaller, type Caller, type PresentedCaller } from '@gateway/contracts/accounts';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import { getBalance, type Balance } from '@gateway/contracts/ledger';
import type { PayloadOf } from '@gateway/contracts/messages';
import { replaceConnectorEndpoints } from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { answering, serveRpc, type Bus } from '@gateway/messaging';
import { Readiness, secretDigestOf } from '@gateway/runtime';
import {
  createTestBus,
  createTestDatabase,
  keyHolderOf,
  silentLogger,
  testBusSecretsKey,
  testNatsUrl,
} from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { startService, type CompatService } from '#src/service.ts';
import { SigningKey } from '#src/tokens/signing-key.ts';
import { newPaymentPeers, paymentRoutes, type PaymentPeers } from './payment-peers.ts';

interface KnownKey {
  readonly secretKey: string;
  readonly caller: Caller;
  /** The one address of its allowlist; undefined: it has none. */
  readonly onlyFrom?: string;
}
type ArrivalOfKey = Pick<PayloadOf<{ payload: typeof getCaller.request }>, 'address' | 'outsideAllowlist'>;

/** What the other services know; tests change it to make things happen there. */
interface Peers {
  readonly keys: Map<string, KnownKey>;
  readonly balances: Map<string, Balance[]>;
  readonly payments: PaymentPeers;
  /** The addresses of the callers, as they were passed on. */
  readonly addresses: (string | undefined)[];
  /** Registrations of notification URLs, by environment and account. */
  readonly registrations: Map<string, PayloadOf<{ payload: typeof replaceConnectorEndpoints.request }>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: {
    readonly success: boolean;
    readonly data: Record<string, unknown> | null;
    readonly errors: string[];
  };
}

export interface RunningFacade extends AsyncDisposable {
  readonly readiness: Readiness;
  /** Where operators' settings come in. */
  readonly bus: Bus;
  readonly peers: Peers;
  /** Another process of the same service, for the caller to stop. */
  startReplica(env?: NodeJS.ProcessEnv): Promise<CompatService>;
  /** What happens in `work` happens while gateway and ledger are down. */
  whilePeersAreAway<T>(work: () => Promise<T>): Promise<T>;
  call(path: string, init?: RequestInit, port?: number): Promise<Answer>;
  authenticate(clientId: string, password: string): Promise<Answer>;
}

/** The service as it runs, on real PostgreSQL and NATS, with its peers' rpc answered here. */
export async function runFacade(env: NodeJS.ProcessEnv = {}): Promise<RunningFacade> {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createTestDatabase('compat', { entities: [SigningKey], migrations }));
  const bus = stack.use(await createTestBus());
  const peers: Peers = {
    keys: new Map(),
    balances: new Map(),
    payments: newPaymentPeers(),
    registrations: new Map(),
    addresses: [],
  };
  const servePeers = () => serveRpc(bus, peerRoutes(peers), silentLogger);
  let serving = await servePeers();
  stack.defer(() => serving[Symbol.asyncDispose]());

  const readiness = new Readiness();
  const SECRETS_KEY = randomBytes(32).toString('base64');
  const start = async (own: NodeJS.ProcessEnv = {}) => {
    const context = { name: 'compat', logger: silentLogger, readiness, signal: new AbortController().signal };
    const base = {
      DATABASE_URL: url,
      NATS_URL: testNatsUrl(),
      PORT: '0',
      SECRETS_KEY,
      BUS_SECRETS_KEY: testBusSecretsKey,
    };
    return await startService({ ...context, env: { ...base, ...env, ...own } });
  };
  const service = stack.use(await start());
  const call = async (path: string, init?: RequestInit, port = service.port) =>
    answerOf(await fetch(`http://127.0.0.1:${port}${path}`, init));
  const running = stack.move();
  return {
    ...{ readiness, bus, peers, call },
    startReplica: start,
    whilePeersAreAway: async (work) => {
      await serving[Symbol.asyncDispose]();
      try {
        return await work();
      } finally {
        serving = await servePeers();
      }
    },
    authenticate: (clientId, password) => call('/compat/cli/client/authenticate', post({ clientId, password })),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export function post(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

export function bearer(answer: Answer): RequestInit {
  return { headers: { authorization: `Bearer ${String(answer.body.data?.['token'])}` } };
}

/** With the token of `answer`. */
export function postAs(answer: Answer, body: unknown): RequestInit {
  return {
    ...post(body),
    headers: { 'content-type': 'application/json', ...(bearer(answer).headers as Record<string, string>) },
  };
}

/** A merchant with a key pair, known to the peers from now on. */
export function addMerchant({ keys }: Peers, environment: Caller['environment'] = 'live') {
  const publicKey = `pk_${environment}_${newId('account').slice(-12)}`;
  const secretKey = `sk_${environment}_${randomBytes(12).toString('hex')}`;
  const fee = { fixedCents: 0, bps: 0 };
  const account = {
    id: newId('account'),
    name: 'Casa Feliz Jogos',
    document: null,
    autoApprovePayouts: true,
    fees: { deposit: fee, payout: fee },
    retentionDays: 0,
    rateLimit: { perSecond: 100, burst: 200 },
    payoutLimits: { perPayoutCents: null, perDayCents: null },
  };
  const caller = keyHolderOf(account, { environment, publicKey });
  keys.set(publicKey, { secretKey, caller });
  return { publicKey, secretKey, accountId: account.id };
}

function peerRoutes({ keys, balances, payments, registrations, addresses }: Peers) {
  const refusal = () => new DomainError('AUTH_INVALID', 'the key pair is not valid');
  return [
    answering(authenticateKey, async ({ publicKey, secretDigest, ...arrival }) => {
      const known = keys.get(publicKey);
      if (!known || secretDigestOf(known.secretKey).toString('hex') !== secretDigest) throw refusal();
      return presented(known, arrival);
    }),
    answering(getCaller, async ({ publicKey, ...arrival }) => {
      addresses.push(arrival.address);
      const known = keys.get(publicKey);
      if (!known) throw refusal();
      return presented(known, arrival);
    }),
    answering(getBalance, async ({ environment, accountId }) => ({
      balances: balances.get(`${environment}:${accountId}`) ?? [],
    })),
    ...paymentRoutes(payments, (publicKey) => {
      const known = keys.get(publicKey);
      if (!known) throw refusal();
      return known.caller;
    }),
    answering(replaceConnectorEndpoints, async (registration) => {
      const details = registration.endpoints.flatMap(({ url }, index) =>
        url.startsWith('https:') ? [] : [{ path: `endpoints.${index}.url`, message: 'must be https' }],
      );
      if (details.length > 0) throw new ValidationError(details);
      registrations.set(`${registration.environment}:${registration.accountId}`, registration);
      return {};
    }),
  ];
}

/** As the gateway does it. */
function presented({ caller, onlyFrom }: KnownKey, { address, outsideAllowlist }: ArrivalOfKey): PresentedCaller {
  const outside = onlyFrom !== undefined && address !== onlyFrom;
  if (outside && outsideAllowlist === 'refused') throw new DomainError('AUTH_IP_BLOCKED', 'not from this address');
  return { ...caller, outsideAllowlist: outside };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Answer['body'] };
}
