import { NotFoundError } from '@gateway/contracts/errors';
import type { Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import { allowlistOf, type KeyWatcher } from '#src/accounts/ip-allowlist.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';

export interface AssignedAllowlist {
  readonly publicKey: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly entries: readonly string[];
}

/**
 * Gives a key of an account another allowlist, as a person of the account asks, whose own address need not be in it: the key
 * is used elsewhere. In force everywhere within a second, and in the audit trail with what was there before.
 *
 * @returns the entries as they are kept: normalised, each once
 * @throws ValidationError naming every entry that is neither an address nor a range; DomainError LIMIT_REACHED;
 *   NotFoundError for a key that was revoked
 */
export async function assignAllowlist(
  database: Database,
  watcher: KeyWatcher,
  act: OperatorAct,
  { publicKey, accountId, environment, entries }: AssignedAllowlist,
): Promise<readonly string[]> {
  const normalised = allowlistOf(entries, 'entries');
  await database.transaction(async (tx) => {
    const [before] = await tx.sql<{ readonly ip_allowlist: readonly string[] }>(
      `select ip_allowlist from api_key
        where public_key = $1 and account_id = $2 and environment = $3 and revoked_at is null for update`,
      [publicKey, accountId, environment],
    );
    if (!before) throw new NotFoundError('key');
    await tx.sql(
      `update api_key set ip_allowlist = $2::text[], version = version + 1, updated_at = clock_timestamp()
        where public_key = $1`,
      [publicKey, normalised],
    );
    const owner = { account_id: accountId, environment };
    recordAudit(tx, act, {
      ...{ action: 'key.allowlist', target: publicKey },
      ...{ before: { ...owner, ...before }, after: { ...owner, ip_allowlist: normalised } },
    });
    tx.afterCommit(() => watcher.announceKeyChanged(publicKey));
  });
  return normalised;
}
