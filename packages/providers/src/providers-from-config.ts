import { z } from 'zod';
import { bacenProvider } from '#src/bacen/bacen-provider.ts';
import { bacenConfigSchema } from '#src/bacen/config.ts';
import { efiConfigSchema } from '#src/efi/config.ts';
import { efiProvider } from '#src/efi/efi-provider.ts';
import { fintocConfigSchema } from '#src/fintoc/config.ts';
import { fintocProvider } from '#src/fintoc/fintoc-provider.ts';
import type { ConnectedProvider, ProviderEnvironment } from '#src/payment-provider.ts';
import { wooviConfigSchema } from '#src/woovi/config.ts';
import { wooviProvider } from '#src/woovi/woovi-provider.ts';

const providerConfigSchema = z.discriminatedUnion('kind', [
  bacenConfigSchema,
  efiConfigSchema,
  fintocConfigSchema,
  wooviConfigSchema,
]);

/** Live providers as a service is configured with them. Secrets in it are in clear: it never goes to a log. */
export const providersConfigSchema = z
  .array(providerConfigSchema)
  .refine((configs) => new Set(configs.map(({ id }) => id)).size === configs.length, 'two providers have the same id')
  .refine((configs) => configs.every(({ id }) => id !== 'sandbox'), 'sandbox is the provider of test mode');

export type ProviderConfig = z.infer<typeof providerConfigSchema>;

/** Every configured provider, by id. Ending it closes their connections. */
export class Providers implements AsyncDisposable {
  readonly #byId: ReadonlyMap<string, ConnectedProvider>;
  readonly #callTimeoutsMs: ReadonlyMap<string, number>;

  constructor(providers: readonly ConnectedProvider[], configs: readonly ProviderConfig[]) {
    this.#byId = new Map(providers.map((provider) => [provider.id, provider]));
    this.#callTimeoutsMs = new Map(configs.map(({ id, callTimeoutMs }) => [id, callTimeoutMs]));
  }

  /** How long one call to it may take. @throws Error when it is not configured */
  callTimeoutMsOf(id: string): number {
    const callTimeoutMs = this.#callTimeoutsMs.get(id);
    if (callTimeoutMs === undefined) throw new Error(`provider ${id} is not configured`);
    return callTimeoutMs;
  }

  find(id: string): ConnectedProvider | undefined {
    return this.#byId.get(id);
  }

  [Symbol.iterator](): IterableIterator<ConnectedProvider> {
    return this.#byId.values();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this].map((provider) => provider[Symbol.asyncDispose]()));
  }
}

export interface ProvidersOptions {
  readonly now: () => Date;
  /** Called once for each provider; what it answers is called for every answer of that one that makes no sense. */
  readonly onUnreadableOf?: (providerId: string) => (cause: string) => void;
  readonly onExchange?: ProviderEnvironment['onExchange'];
  readonly onScopes?: ProviderEnvironment['onScopes'];
}

/** Makes the adapters; connections are opened by the first call. */
export function providersFromConfig(
  configs: readonly ProviderConfig[],
  { onUnreadableOf, ...environment }: ProvidersOptions,
): Providers {
  return new Providers(
    configs.map((config) => connectProvider(config, { ...environment, onUnreadable: onUnreadableOf?.(config.id) })),
    configs,
  );
}

function connectProvider(config: ProviderConfig, environment: ProviderEnvironment): ConnectedProvider {
  switch (config.kind) {
    case 'bacen':
      return bacenProvider(config, environment);
    case 'efi':
      return efiProvider(config, environment);
    case 'fintoc':
      return fintocProvider(config, environment);
    case 'woovi':
      return wooviProvider(config, environment);
  }
}
