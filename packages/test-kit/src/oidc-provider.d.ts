/** What the tests use of it; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Context {
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId: string };
      readonly provider: Provider;
    };
  }

  /** Of an answer that is about to be sent. */
  interface Answering {
    readonly oidc?: { readonly route: string };
    body?: { readonly id_token?: string };
  }

  export default class Provider {
    readonly Grant: new (of: { readonly clientId: string; readonly accountId: string }) => Grant;
    constructor(
      issuer: string,
      configuration: Readonly<Record<string, unknown>> & {
        readonly loadExistingGrant: (context: Context) => Promise<Grant>;
      },
    );
    use(middleware: (context: Answering, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { readonly mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
