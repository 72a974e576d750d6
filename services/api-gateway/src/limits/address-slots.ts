import { DomainError } from '@gateway/contracts/errors';
import { networkOf } from '@gateway/runtime/http';

/** Calls of one address that are worked on at once. */
const atOnceMax = 4;
/** Calls of one address that wait for that. */
const waitingMax = 256;

interface Occupied {
  count: number;
  readonly waiting: (() => void)[];
}

/**
 * Works on the open calls of one address a few at a time, so that an address that sends hundreds at once
 * delays its own calls and no others. Only calls under way are remembered.
 */
export class AddressSlots {
  readonly #occupied = new Map<string, Occupied>();

  /** @returns what gives the slot back, once. @throws DomainError RATE_LIMITED when too many wait already */
  async take(address: string): Promise<() => void> {
    const network = networkOf(address);
    const occupied = this.#occupied.get(network) ?? { count: 0, waiting: [] };
    this.#occupied.set(network, occupied);
    if (occupied.count < atOnceMax) occupied.count += 1;
    else if (occupied.waiting.length >= waitingMax) throw tooMany();
    else await new Promise<void>((resolve) => occupied.waiting.push(resolve));
    let given = false;
    return () => {
      if (!given) this.#giveBack(network, occupied);
      given = true;
    };
  }

  /** The slot goes to the call that has waited for longest. */
  #giveBack(network: string, occupied: Occupied): void {
    const next = occupied.waiting.shift();
    if (next) return next();
    occupied.count -= 1;
    if (occupied.count === 0) this.#occupied.delete(network);
  }
}

function tooMany(): DomainError {
  return new DomainError('RATE_LIMITED', 'the address sends too many requests at once', { retryAfterSec: 1 });
}
