import { eventually } from '@gateway/test-kit';
import { issueKey, type PostAs } from '../../support/issue-key.ts';
import type { Json } from '../../support/merchant-client.ts';
import type { Stage } from '../stage/stage.ts';
import { Book, type Currency, type Environment } from './book.ts';
import { CarefulClient, expectStatus, Tally } from './careful-client.ts';
import { createDeposit } from './create-deposit.ts';
import { Operator } from './operator.ts';
import { SimulatedBank } from './simulated-bank.ts';

const fundsCents = 10_000_000;
const connectorTimeoutMs = 20_000;

/** A merchant of one seed's own: whatever is in its account came from this seed's load. */
export interface Merchant {
  readonly accountId: string;
  readonly clients: Readonly<Record<Environment, CarefulClient>>;
  /** An operation of the connector's dialect; its `data`. */
  connector(method: string, path: string, body: unknown): Promise<Json>;
  readonly bank: SimulatedBank;
  readonly book: Book;
  readonly tally: Tally;
  /** There is time for what only a provider's lists show. */
  readonly readsLists: boolean;
}

/** A new account with keys, endpoints for both formats, and money to begin with. */
export async function newMerchant(stage: Stage, name: string, readsLists: boolean): Promise<Merchant> {
  const { dev, opsUrl, simulatorUrl } = stage.stack;
  const operators = dev.ops_tokens.map((token) => new Operator(opsUrl, token));
  const post: PostAs = (path, body, nth) => operators[nth]!.call('POST', path, body);
  // Before the first payment of all: what is our own at the providers is what they hold while nothing is on its way.
  await operators[0]!.call('POST', '/ops/reconciliations');
  const settings = { name, rate_limit: { per_second: 1_000, burst: 2_000 } };
  const { id: accountId } = await operators[0]!.call('POST', '/ops/accounts', settings);
  const keysFor = (environment: Environment) => issueKey(post, accountId, environment);
  const keys = { test: await keysFor('test'), live: await keysFor('live') };
  const tally = new Tally();
  const clients = {
    test: new CarefulClient(stage.urls, keys.test, tally),
    live: new CarefulClient(stage.urls, keys.live, tally),
  };
  for (const client of Object.values(clients)) {
    expectStatus(await client.post('/v1/webhooks', { name: 'shop', url: stage.receiver.url }), 201);
  }
  const connector = await connectorOf(stage, keys.test, tally);
  const bank = new SimulatedBank(simulatorUrl);
  const merchant = { accountId, clients, connector, bank, book: new Book(), tally, readsLists };
  await Promise.all([fund(merchant, 'test', 'BRL'), fund(merchant, 'live', 'BRL'), fund(merchant, 'live', 'MXN')]);
  return merchant;
}

async function fund(merchant: Merchant, environment: Environment, currency: Currency): Promise<void> {
  const { clients, bank, book } = merchant;
  const client = clients[environment];
  const id = await createDeposit(merchant, environment, `funds-${currency}`, fundsCents, currency);
  if (environment === 'test') await client.post(`/v1/test/deposits/${id}/pay`);
  else await bank.payOnce(id.slice('dep_'.length));
  book.deposits.get(id)!.isPaid = true;
  await eventually(
    async () => {
      const { body } = await client.get(`/v1/deposits/${id}`);
      if (body.status !== 'PAID') throw new Error('the funds have not arrived');
    },
    { timeoutMs: 90_000 },
  );
}

async function connectorOf(
  stage: Stage,
  keys: { public_key: string; secret_key: string },
  tally: Tally,
): Promise<Merchant['connector']> {
  let turn = 0;
  const call = async (method: string, path: string, body: unknown, token?: string): Promise<Json> =>
    await eventually(
      async () => {
        const response = await fetch(`${stage.urls[turn++ % stage.urls.length]}${path}`, {
          method,
          headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(connectorTimeoutMs),
        });
        const answer = (await response.json()) as Json;
        if (response.status === 500) tally.unexpected.push(JSON.stringify(answer));
        if (response.status === 200) {
          tally.answered++;
          return answer.data;
        }
        tally.repeated++;
        throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
      },
      { timeoutMs: 90_000, everyMs: 100 },
    );
  const credentials = { clientId: keys.public_key, password: keys.secret_key };
  const { token } = await call('POST', '/cli/client/authenticate', credentials);
  await call(
    'PUT',
    '/compat/cli/client/update/notification-url',
    {
      notificationUrl: [{ url: stage.receiver.url, permission: ['PIX_IN', 'PIX_OUT'] }],
      securityParaphrase: 'open sesame',
    },
    token,
  );
  return async (method, path, body) => await call(method, path, body, token);
}
