import { healthRpc, serviceNames, type ServiceName } from '@gateway/contracts/messages';
import { callRpc, type Bus } from '@gateway/messaging';
import type { Readiness } from '@gateway/runtime';

const answerTimeoutMs = 1_500;
/** Anybody may ask, so the services are not asked more often than this. */
const reuseMs = 500;
/** They answer no merchant and move no money: what they do waits until they are back. */
const besideMerchants: readonly ServiceName[] = ['reconciler', 'identity'];

type ServiceHealth = 'ok' | 'degraded' | 'away';

export interface SystemHealth {
  readonly status: 'ok' | 'degraded';
  readonly services: Readonly<Record<string, ServiceHealth>>;
}

/** Whether merchants are served: what a load balancer asks, which would otherwise take the whole product away from them. */
export function servesMerchants({ services }: SystemHealth): boolean {
  return serviceNames.every((service) => services[service] === 'ok' || besideMerchants.includes(service));
}

/** What each service says of itself: able to work, up with a dependency missing, or silent. */
export class SystemHealthReport {
  readonly #bus: Bus;
  readonly #readiness: Readiness;
  #latest: { readonly askedAt: number; readonly answer: Promise<SystemHealth> } | undefined;

  constructor(bus: Bus, readiness: Readiness) {
    this.#bus = bus;
    this.#readiness = readiness;
  }

  async read(now: number = performance.now()): Promise<SystemHealth> {
    if (!this.#latest || now - this.#latest.askedAt > reuseMs) this.#latest = { askedAt: now, answer: this.#ask() };
    return await this.#latest.answer;
  }

  async #ask(): Promise<SystemHealth> {
    const services = Object.fromEntries(
      await Promise.all(serviceNames.map(async (service) => [service, await this.#askOne(service)] as const)),
    );
    const healthy = Object.values(services).every((health) => health === 'ok');
    return { status: healthy ? 'ok' : 'degraded', services };
  }

  async #askOne(service: ServiceName): Promise<ServiceHealth> {
    try {
      const { ready } =
        service === 'api-gateway'
          ? await this.#readiness.report()
          : await callRpc(this.#bus, healthRpc(service), {}, { timeoutMs: answerTimeoutMs, listenerTimeoutMs: 0 });
      return ready ? 'ok' : 'degraded';
    } catch {
      return 'away';
    }
  }
}
