import { DomainError, type RateLimit } from '@gateway/contracts';
import { formatRange, parseAddress, parseRange } from '#src/allowlist/address-range.ts';
import { TokenBucket } from '#src/limits/token-bucket.ts';

/** Whoever has one IPv6 address has all that begin with the same bits. */
const ipv6NetworkBits = 64;
/** Above this number of addresses, the one that was silent for longest begins anew. */
const addressesMax = 10_000;

/** The request rate of each address, for doors that are open to people without a key. */
export class AddressLimits {
  readonly #limit: RateLimit;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** @throws DomainError RATE_LIMITED, with the time after which the next request passes */
  spend(address: string, now: number): void {
    const network = networkOf(address);
    const bucket = this.#buckets.get(network) ?? new TokenBucket(this.#limit, now);
    // Set anew, it is the last to be forgotten.
    this.#buckets.delete(network);
    this.#buckets.set(network, bucket);
    const [silent] = this.#buckets.keys();
    if (this.#buckets.size > addressesMax && silent !== undefined) this.#buckets.delete(silent);
    const { allowed, retryAfterSec } = bucket.take(this.#limit, now);
    if (allowed) return;
    throw new DomainError('RATE_LIMITED', 'the address sends more requests than its limit', { retryAfterSec });
  }
}

function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed?.family !== 6) return address.replace(/^::ffff:/i, '');
  const network = parseRange(`${address}/${ipv6NetworkBits}`);
  return network ? formatRange(network) : address;
}
