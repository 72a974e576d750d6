import { request } from 'undici';
import { providersConfigSchema, type ProviderConfig } from '#src/providers-from-config.ts';

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
