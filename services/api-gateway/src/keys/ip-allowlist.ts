import { DomainError } from '@gateway/contracts/errors';
import { contains, parseAddress, parseRange, type AddressRange } from '#src/limits/address-range.ts';

/** From where one key may be used (spec 5.5): without entries, from anywhere. */
export class IpAllowlist {
  /** Normalised, as they are shown. */
  readonly entries: readonly string[];
  readonly #ranges: readonly AddressRange[];

  constructor(entries: readonly string[]) {
    this.entries = entries;
    this.#ranges = entries.map((entry) => parseRange(entry)).filter((range) => range !== undefined);
  }

  /** An address nobody told, or that is none, is inside no list. */
  allows(address: string | undefined): boolean {
    if (this.entries.length === 0) return true;
    const caller = address === undefined ? undefined : parseAddress(address);
    return caller !== undefined && this.#ranges.some((range) => contains(range, caller));
  }

  /** @throws DomainError AUTH_IP_BLOCKED when the list leaves the address out */
  check(address: string | undefined): void {
    if (!this.allows(address)) {
      throw new DomainError('AUTH_IP_BLOCKED', 'the key may not be used from this address');
    }
  }
}
