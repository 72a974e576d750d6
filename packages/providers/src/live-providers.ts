import { request } from 'undici';
import type { z } from 'zod';
import {
  providersConfigSchema,
  providersFromConfig,
  type ProviderConfig,
  type Providers,
  type ProvidersOptions,
} from '#src/providers-from-config.ts';
import { listVariableSchema } from '#src/secret-files.ts';

/** Environment variable `PROVIDERS`: JSON in the form of `providersConfigSchema`; no live providers without it. */
export const providersVariableSchema = listVariableSchema('providers')
  .pipe(providersConfigSchema)
  .describe(
    'The live providers with their credentials, as JSON, in the order in which they are asked; `{ "file": "/path" }` stands for a text in a file.',
  )
  .meta({ secret: true }) satisfies z.ZodType<ProviderConfig[]>;

/** A service's configuration of the providers of the live environment. */
export interface LiveProvidersConfig {
  readonly PROVIDERS: readonly ProviderConfig[];
  /** A simulator whose providers are live instead of PROVIDERS; for development. */
  readonly SIMULATOR_URL?: string | undefined;
}

export interface LiveProvidersOptions extends ProvidersOptions {
  /** Repeats what a simulator that is still starting does not answer. */
  readonly untilReachable: <T>(connect: () => Promise<T>) => Promise<T>;
}

/**
 * The providers of the live environment, the same for every service that has to do with them: those that are configured,
 * or the simulator's where one is named.
 */
export async function connectLiveProviders(
  { PROVIDERS, SIMULATOR_URL }: LiveProvidersConfig,
  { untilReachable, ...options }: LiveProvidersOptions,
): Promise<Providers> {
  if (SIMULATOR_URL === undefined) return providersFromConfig(PROVIDERS, options);
  return providersFromConfig(await untilReachable(() => simulatorConfigs(SIMULATOR_URL)), options);
}

const fetchTimeoutMs = 5_000;

/**
 * The providers of the simulator as configuration, from its control interface: credentials, keys and the key it signs
 * with. For running everything on one machine; a deployment has a configuration of its own.
 *
 * @throws when the simulator does not answer, or with something else
 */
export async function simulatorConfigs(simulatorUrl: string, signal?: AbortSignal): Promise<ProviderConfig[]> {
  const deadline = AbortSignal.timeout(fetchTimeoutMs);
  const answer = await request(new URL('/control/providers', simulatorUrl), {
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  });
  const body: unknown = await answer.body.json();
  if (answer.statusCode !== 200) throw new Error(`the simulator answered ${answer.statusCode}`);
  return providersConfigSchema.parse(body);
}
