import { eventually } from '@gateway/test-kit';
import type { Json } from '../../support/merchant-client.ts';

/** What the bank has in its own books; amounts in minor units. */
export interface BankBooks {
  readonly charges: readonly BankCharge[];
  readonly transfers: readonly BankTransfer[];
}

export interface BankCharge {
  readonly dialect: string;
  readonly reference: string;
  readonly status: string;
  readonly amount: number;
  readonly payments: readonly {
    readonly e2e_id: string;
    readonly amount: number;
    readonly refunded: number;
    readonly taken: number;
    readonly dispute: { readonly id: string; readonly status: string; readonly amount: number } | null;
  }[];
}

export interface BankTransfer {
  readonly dialect: string;
  readonly reference: string;
  readonly status: string;
  readonly amount: number;
  readonly returns: readonly number[];
}

const timeoutMs = 90_000;
const callTimeoutMs = 10_000;

/** The provider's side of live money, which a load can move and a check can look at. */
export class SimulatedBank {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Pays a charge, once. */
  async payOnce(reference: string): Promise<{ readonly dialect: string; readonly e2eId: string }> {
    const charge = `/control/charges/${reference}`;
    return await this.#patiently(async () => {
      const { dialect, payments } = await this.#call('GET', charge);
      if (payments.length > 0) return { dialect, e2eId: payments[0].e2e_id };
      const { e2e_id: e2eId } = await this.#call('POST', `${charge}/pay`);
      return { dialect, e2eId };
    });
  }

  /** Everything that was made or moved since. */
  async books(since: Date): Promise<BankBooks> {
    return (await this.#patiently(() => this.#call('GET', `/control/books?since=${since.toISOString()}`))) as BankBooks;
  }

  /** Whatever a test may do to the bank, once it is there. */
  async control(path: string, body: object): Promise<Json> {
    return await this.#patiently(() => this.#call('POST', `/control${path}`, body));
  }

  /** The same, done or refused at once. */
  async tryControl(path: string, body: object): Promise<void> {
    await this.#call('POST', `/control${path}`, body).catch(() => undefined);
  }

  async removeFaults(): Promise<void> {
    await this.#patiently(() => this.#call('DELETE', '/control/faults'));
  }

  /** How often each transfer out was carried out, by its reference. */
  async transfers(): Promise<Map<string, number>> {
    const { by_reference: byReference } = await this.#patiently(() => this.#call('GET', '/control/transfers'));
    return new Map(Object.entries(byReference as Record<string, number>));
  }

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    return await eventually(work, { timeoutMs, everyMs: 100 });
  }

  async #call(method: 'GET' | 'POST' | 'DELETE', path: string, content: object = {}): Promise<Json> {
    const headers = method === 'POST' ? { 'content-type': 'application/json' } : {};
    const body = method === 'POST' ? JSON.stringify(content) : null;
    const signal = AbortSignal.timeout(callTimeoutMs);
    const response = await fetch(`${this.#url}${path}`, { method, headers, body, signal });
    if (!response.ok) throw new Error(`the simulator answered ${response.status}: ${await response.text()}`);
    return response.status === 204 ? {} : await response.json();
  }
}
