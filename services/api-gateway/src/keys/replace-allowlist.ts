import { DomainError, ValidationError } from '@gateway/contracts/errors';
import type { Database } from '@gateway/persistence';
import { formatRange, parseRange } from '#src/limits/address-range.ts';
import { IpAllowlist } from '#src/keys/ip-allowlist.ts';
import type { CallerDirectory } from '#src/keys/caller-directory.ts';

/** api.md 2. */
const allowlistEntriesMax = 100;

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
  directory: CallerDirectory,
  { publicKey, entries, callerAddress }: AllowlistChange,
): Promise<readonly string[]> {
  const normalised = normalise(entries);
  if (normalised.length > allowlistEntriesMax) {
    throw new DomainError('LIMIT_REACHED', `an allowlist has at most ${allowlistEntriesMax} entries`);
  }
  if (!new IpAllowlist(normalised).allows(callerAddress)) {
    throw new DomainError('IP_ALLOWLIST_EXCLUDES_CALLER', 'the list leaves out the address this call comes from');
  }
  await database.query(
    `update api_key set ip_allowlist = $2::text[], version = version + 1, updated_at = clock_timestamp()
      where public_key = $1 and revoked_at is null`,
    [publicKey, normalised],
  );
  directory.announceKeyChanged(publicKey);
  return normalised;
}

function normalise(entries: readonly string[]): string[] {
  const ranges = entries.map((entry) => parseRange(entry));
  const wrong = ranges.flatMap((range, index) => (range ? [] : [{ path: `entries.${index}`, message: notAnAddress }]));
  if (wrong.length > 0) throw new ValidationError(wrong);
  return [...new Set(ranges.filter((range) => range !== undefined).map(formatRange))];
}

const notAnAddress = 'must be an IPv4 or IPv6 address or a CIDR range';
