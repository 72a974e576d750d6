import { generateKeyPairSync } from 'node:crypto';
import { providersConfigSchema, providersFromConfig, type ConnectedProvider, type Providers } from '#src/index.ts';
import { answerJson, ScriptedServer, type ReceivedRequest } from './http/scripted-server.ts';

export interface ScriptedAnswer {
  readonly status?: number;
  readonly body: unknown;
  /** Instead of a body in JSON. */
  readonly text?: string;
}

/** What the provider says to a call; undefined for a connection that ends without an answer. */
export type Answering = (request: ReceivedRequest) => ScriptedAnswer | undefined;

export type AdapterId = 'bacen' | 'efi' | 'spei' | 'woovi';

/** Every adapter in front of one server that answers what a test wants. */
export class ScriptedProviders implements AsyncDisposable {
  answering: Answering = () => ({ status: 404, body: {} });
  readonly now: () => Date;
  readonly #server: ScriptedServer;
  readonly #providers: Providers;

  private constructor(server: ScriptedServer, now: () => Date) {
    this.#server = server;
    this.now = now;
    this.#providers = providersFromConfig(configsOf(server.url), { now });
  }

  static async start(now: () => Date): Promise<ScriptedProviders> {
    const server = await ScriptedServer.start((request, response) => {
      if (request.path === '/oauth/token') return answerJson(response, 200, { access_token: 't', expires_in: 3600 });
      const answer = scripted.answering(request);
      if (!answer) return void response.destroy();
      if (answer.text !== undefined) return void response.end(answer.text);
      answerJson(response, answer.status ?? 200, answer.body);
    });
    const scripted = new ScriptedProviders(server, now);
    return scripted;
  }

  /** What was asked since the last time, without the tokens. */
  takeRequests(): ReceivedRequest[] {
    return this.#server.requests.splice(0).filter(({ path }) => path !== '/oauth/token');
  }

  provider(id: AdapterId): ConnectedProvider {
    const provider = this.#providers.find(id);
    if (!provider) throw new Error(`no provider ${id}`);
    return provider;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#providers[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}

function configsOf({ href: baseUrl, origin }: URL) {
  const pixApi = {
    ...{ baseUrl, tokenUrl: `${origin}/oauth/token`, clientId: 'id', clientSecret: 'secret' },
    ...{ receivingKey: 'key@example.com', notifications: { secret: 'a-secret-of-some-length' } },
  };
  return providersConfigSchema.parse([
    { kind: 'bacen', id: 'bacen', ...pixApi },
    { kind: 'efi', id: 'efi', payingKey: 'pay@example.com', ...pixApi },
    {
      ...{ kind: 'fintoc', id: 'spei', baseUrl, secretKey: 'sk_test_key', accountId: 'acc_1' },
      ...{ jwsPrivateKey: newRsaKey(), webhookSecrets: ['a-secret-of-some-length'] },
    },
    { kind: 'woovi', id: 'woovi', baseUrl, appId: 'app', webhookSecrets: ['a-webhook-secret'] },
  ]);
}

/** A private key in PEM, as signatures of calls are made with. */
export function newRsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
