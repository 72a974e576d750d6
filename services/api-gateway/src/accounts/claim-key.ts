import { LockMode } from '@mikro-orm/core';
import { NotFoundError } from '@gateway/contracts/errors';
import type { Database } from '@gateway/persistence';
import { type Logger, secretDigestOf, startLoop } from '@gateway/runtime';
import { ApiKeyEntity, type KeyPair, newSecretKey, presentKey } from '#src/accounts/api-key.ts';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { gatewayAct, type OperatorAct, recordAudit } from '#src/approvals/audit.ts';

interface OfKey {
  readonly publicKey: string;
  readonly accountId: string;
}

/**
 * The page of a live key in the merchants' console. The link gives nothing by itself, so that it may be seen by the operator who
 * hands it on: the secret is fetched there by an owner or a developer of the account who has signed in.
 */
export function claimUrl(consoleUrl: string, { publicKey, accountId }: OfKey): string {
  return `${consoleUrl}/${accountId}/live/developers/${publicKey}`;
}

const sweepIntervalMs = 30_000;
const batchMax = 100;

interface Opening {
  readonly key: OfKey;
  /** The person of the account who fetches the secret. */
  readonly by: OperatorAct;
  /** Where it is fetched from. */
  readonly address: string;
}

/**
 * Makes the secret of a live key, which is in this answer and nowhere else, and has the key in force from now on. Of several
 * who fetch it one has it.
 *
 * @throws NotFoundError once it was fetched, its time is up, or the key was revoked
 */
export async function claimKey(
  database: Database,
  directory: CallerDirectory,
  { key: { publicKey, accountId }, by, address }: Opening,
): Promise<KeyPair> {
  const secretKey = newSecretKey('live');
  await database.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const key = await tx.em.findOne(ApiKeyEntity, { publicKey, accountId }, lock);
    if (!key || !isOpen(key, by.at)) throw new NotFoundError('key');
    const before = presentKey(key);
    key.secretHash = secretDigestOf(secretKey).toString('hex');
    key.claimedAt = by.at;
    const after = { ...presentKey(key), address };
    recordAudit(tx, by, { action: 'key.claim', target: publicKey, before, after });
    // Gateways that remember the key compare versions.
    await tx.sql('update api_key set version = version + 1, updated_at = clock_timestamp() where public_key = $1', [
      publicKey,
    ]);
    tx.afterCommit(() => directory.announceKeyChanged(publicKey));
  });
  return { publicKey, secretKey };
}

function isOpen({ claimExpiresAt, claimedAt, revokedAt }: ApiKeyEntity, now: Date): boolean {
  return !claimedAt && !revokedAt && claimExpiresAt instanceof Date && now < claimExpiresAt;
}

/** Ends live keys whose merchants have not fetched a secret in time: what was not fetched when it was expected is not fetched later. */
export function keepRevokingUnclaimed(database: Database, logger: Logger): AsyncDisposable {
  const work = () => revokeUnclaimed(database, new Date());
  return startLoop({ name: 'revoke unclaimed keys', intervalMs: sweepIntervalMs, logger, work });
}

/** @returns whether there may be more */
export async function revokeUnclaimed(database: Database, now: Date): Promise<boolean> {
  return await database.transaction(async (tx) => {
    const unclaimed = { secretHash: null, revokedAt: null, claimExpiresAt: { $lte: now } };
    const options = { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE, limit: batchMax } as const;
    const keys = await tx.em.find(ApiKeyEntity, unclaimed, options);
    for (const key of keys) {
      const before = presentKey(key);
      key.revokedAt = now;
      const after = presentKey(key);
      recordAudit(tx, gatewayAct('unclaimed', now), { action: 'key.revoke', target: key.publicKey, before, after });
    }
    return keys.length === batchMax;
  });
}
