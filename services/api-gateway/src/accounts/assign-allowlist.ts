import { NotFoundError } from '@gateway/contracts/errors';
import type { Environment } from '@gateway/contracts/values';
import type { Database, Tx } from '@gateway/persistence';
import { isPublicKey } from '#src/accounts/api-key.ts';
import { allowlistOf, type KeyWatcher } from '#src/accounts/ip-allowlist.ts';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval, requireUnchanged } from '#src/approvals/propose-approval.ts';

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
  assigned: AssignedAllowlist,
): Promise<readonly string[]> {
  const normalised = allowlistOf(assigned.entries, 'entries');
  await database.transaction(async (tx) => {
    const before = await lockAllowlist(tx, assigned);
    await writeAllowlist(tx, watcher, act, { ...assigned, before, after: normalised });
  });
  return normalised;
}

type OwnedKey = Pick<AssignedAllowlist, 'publicKey' | 'accountId' | 'environment'>;

/** The entries of a key, which is locked in `tx`. @throws NotFoundError for one that was revoked */
async function lockAllowlist(tx: Tx, { publicKey, accountId, environment }: OwnedKey): Promise<readonly string[]> {
  const [key] = await tx.sql<{ readonly ip_allowlist: readonly string[] }>(
    `select ip_allowlist from api_key
      where public_key = $1 and account_id = $2 and environment = $3 and revoked_at is null for update`,
    [publicKey, accountId, environment],
  );
  if (!key) throw new NotFoundError('key');
  return key.ip_allowlist;
}

interface Written extends OwnedKey {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

async function writeAllowlist(
  tx: Tx,
  watcher: KeyWatcher,
  act: OperatorAct,
  { publicKey, accountId, environment, before, after }: Written,
): Promise<object> {
  await tx.sql(
    `update api_key set ip_allowlist = $2::text[], version = version + 1, updated_at = clock_timestamp()
      where public_key = $1`,
    [publicKey, after],
  );
  const owner = { account_id: accountId, environment };
  const written = { ...owner, ip_allowlist: after };
  recordAudit(tx, act, {
    ...{ action: 'key.allowlist', target: publicKey },
    ...{ before: { ...owner, ip_allowlist: before }, after: written },
  });
  tx.afterCommit(() => watcher.announceKeyChanged(publicKey));
  return written;
}

interface WantedAllowlist {
  readonly publicKey: string;
  readonly entries: readonly string[];
  readonly reason: string;
}

/**
 * Another allowlist for a key of any account, for another operator to approve: an account that is locked out of its own key
 * cannot change it itself.
 *
 * @throws NotFoundError for a key that was revoked; as `assignAllowlist`
 */
export async function proposeAllowlist(
  database: Database,
  act: OperatorAct,
  { publicKey, entries, reason }: WantedAllowlist,
): Promise<Approval> {
  if (!isPublicKey(publicKey)) throw new NotFoundError('key');
  const after = allowlistOf(entries, 'entries');
  return await database.transaction(async (tx) => {
    const [key] = await tx.sql<OwnedKey & { readonly allowlist: readonly string[] }>(
      `select account_id as "accountId", environment, ip_allowlist as allowlist from api_key
        where public_key = $1 and revoked_at is null`,
      [publicKey],
    );
    if (!key) throw new NotFoundError('key');
    const { accountId, environment, allowlist } = key;
    const subject = { kind: 'key.allowlist', environment, accountId, target: publicKey, reason } as const;
    const before = { allowlist };
    return proposeApproval(tx, act, { ...subject, request: { allowlist: after }, before });
  });
}

/** How an approved allowlist is put in force. */
export function allowlistRules(watcher: KeyWatcher): ApprovalRules {
  const apply = async ({ target: publicKey, accountId, environment, request, before }: Approval) => {
    return async (tx: Tx, act: OperatorAct) => {
      if (!accountId || !environment) throw new NotFoundError('key');
      const owned = { publicKey, accountId, environment };
      const known = await lockAllowlist(tx, owned);
      requireUnchanged({ allowlist: known }, before);
      const after = request['allowlist'] as readonly string[];
      return { outcome: await writeAllowlist(tx, watcher, act, { ...owned, before: known, after }) };
    };
  };
  return { apply };
}
