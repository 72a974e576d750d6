import { DomainError, ValidationError } from '@gateway/contracts/errors';
import type { Database } from '@gateway/persistence';
import { type AddressRange, contains, formatRange, parseAddress, parseRange } from '@gateway/runtime/http';

/** From where one key may be used (spec 5.5): without entries, from anywhere. */
export class IpAllowlist {
  /** Normalised, as they are shown. */
  readonly entries: readonly string[];
  readonly #ranges: readonly AddressRange[];

  constructor(entries: readonly string[]) {
    this.entries = entries;
    this.#ranges = entries.map((entry) => parseRange(entry)).filter((range) => range !== undefined);
  }

  /** An address that is unknown or malformed is inside no list. */
  allows(address: string | undefined): boolean {
    if (this.entries.length === 0) return true;
    const caller = address === undefined ? undefined : parseAddress(address);
    return caller !== undefined && this.#ranges.some((range) => contains(range, caller));
  }

  /** @throws DomainError AUTH_IP_BLOCKED when the list leaves the address out */
  check(address: string | undefined): void {
    if (!this.allows(address)) throw addressBlocked();
  }
}

export function addressBlocked(): DomainError {
  return new DomainError('AUTH_IP_BLOCKED', 'the key may not be used from this address');
}

/** api.md 2. */
const allowlistEntriesMax = 100;

/** Learns of changed keys once they are committed, so that what it remembers of them is dropped. */
export interface KeyWatcher {
  announceKeyChanged(publicKey: string): void;
}

export interface AllowlistChange {
  readonly publicKey: string;
  readonly entries: readonly string[];
  /** Where the change comes from; it must stay able to change the list again. */
  readonly callerAddress: string;
}

/**
 * Gives one key another allowlist, in force everywhere within a second; no entries lift the restriction (spec 4, rule 3).
 * @returns the entries as they are kept: normalised, each once
 * @throws ValidationError naming every entry that is neither an address nor a range
 * @throws DomainError LIMIT_REACHED, IP_ALLOWLIST_EXCLUDES_CALLER; nothing has changed then
 */
export async function replaceAllowlist(
  database: Database,
  watcher: KeyWatcher,
  { publicKey, entries, callerAddress }: AllowlistChange,
): Promise<readonly string[]> {
  const normalised = allowlistOf(entries, 'entries');
  if (!new IpAllowlist(normalised).allows(callerAddress)) {
    throw new DomainError('IP_ALLOWLIST_EXCLUDES_CALLER', 'the list leaves out the address this call comes from');
  }
  await database.query(
    `update api_key set ip_allowlist = $2::text[], version = version + 1, updated_at = clock_timestamp()
      where public_key = $1 and revoked_at is null`,
    [publicKey, normalised],
  );
  watcher.announceKeyChanged(publicKey);
  return normalised;
}

/**
 * The entries of an allowlist as they are kept: normalised, each once.
 *
 * @param path the member that has them, for the refusal
 * @throws ValidationError naming every entry that is neither an address nor a range; DomainError LIMIT_REACHED
 */
export function allowlistOf(entries: readonly string[], path: string): readonly string[] {
  const ranges = entries.map((entry) => parseRange(entry));
  const wrong = ranges.flatMap((range, index) => (range ? [] : [{ path: `${path}.${index}`, message: notAnAddress }]));
  if (wrong.length > 0) throw new ValidationError(wrong);
  const normalised = [...new Set(ranges.filter((range) => range !== undefined).map(formatRange))];
  if (normalised.length <= allowlistEntriesMax) return normalised;
  throw new DomainError('LIMIT_REACHED', `an allowlist has at most ${allowlistEntriesMax} entries`);
}

const notAnAddress = 'must be an IPv4 or IPv6 address or a CIDR range';
