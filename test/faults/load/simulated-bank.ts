import { eventually } from '@gateway/service-kit/testing';
import type { Json } from '../../support/merchant-client.ts';

const timeoutMs = 90_000;
const callTimeoutMs = 10_000;

/** The provider's side of live money, which a load can move and a check can look at. */
export class SimulatedBank {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Somebody pays a charge, once. */
  async payOnce(reference: string): Promise<void> {
    const charge = `/control/charges/${reference}`;
    await this.#patiently(async () => {
      const { payments } = await this.#call('GET', charge);
      if (payments.length === 0) await this.#call('POST', `${charge}/pay`);
    });
  }

  /** How often each transfer out was carried out, by its reference. */
  async transfers(): Promise<Map<string, number>> {
    const { by_reference: byReference } = await this.#patiently(() => this.#call('GET', '/control/transfers'));
    return new Map(Object.entries(byReference as Record<string, number>));
  }

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    return await eventually(work, { timeoutMs, everyMs: 100 });
  }

  async #call(method: 'GET' | 'POST', path: string): Promise<Json> {
    const headers = { 'content-type': 'application/json' };
    const body = method === 'POST' ? '{}' : null;
    const signal = AbortSignal.timeout(callTimeoutMs);
    const response = await fetch(`${this.#url}${path}`, { method, headers, body, signal });
    if (!response.ok) throw new Error(`the simulator answered ${response.status}: ${await response.text()}`);
    return await response.json();
  }
}
