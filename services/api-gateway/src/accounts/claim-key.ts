import { LockMode } from '@mikro-orm/core';
import { NotFoundError } from '@gateway/contracts/errors';
import { isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { type LinkTokens, type Logger, secretDigestOf, startLoop } from '@gateway/runtime';
import { ApiKeyEntity, type KeyPair, newSecretKey, presentKey } from '#src/accounts/api-key.ts';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { gatewayAct, mayNothing, merchantName, type OperatorAct, recordAudit } from '#src/approvals/audit.ts';

/** Where a live key's secret can be fetched, on the public port. */
export const claimPath = '/keys';

export interface KeyClaim {
  readonly publicKey: string;
  readonly accountId: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** The links by which merchants fetch the secrets of their live keys. A link is its signature: nothing of it is stored. */
export class ClaimLinks {
  readonly #tokens: LinkTokens;
  readonly #publicUrl: string;

  constructor(tokens: LinkTokens, publicUrl: string) {
    this.#tokens = tokens;
    this.#publicUrl = publicUrl.replace(/\/+$/, '');
  }

  urlOf({ publicKey, accountId, expiresAt }: KeyClaim): string {
    const token = this.#tokens.issue(resourceOf(publicKey), { environment: 'live', accountId, expiresAt });
    return `${this.#publicUrl}${claimPath}/${publicKey}/${token}`;
  }

  /** Null when the link is forged, of another key, or its time is up. */
  read(publicKey: string, token: string, now: Date): KeyClaim | null {
    const grant = this.#tokens.verify(token, resourceOf(publicKey), now);
    return grant && isId('account', grant.accountId) ? { publicKey, ...grant } : null;
  }
}

function resourceOf(publicKey: string): string {
  return `key-claim ${publicKey}`;
}

const sweepIntervalMs = 30_000;
const batchMax = 100;

/** Whether the link still opens something; looking does not open it. */
export async function isClaimable(database: Database, claim: KeyClaim, now: Date): Promise<boolean> {
  const key = await database.reader().findOne(ApiKeyEntity, { publicKey: claim.publicKey, accountId: claim.accountId });
  return key !== null && isOpen(key, now);
}

export interface Opening {
  readonly claim: Pick<KeyClaim, 'publicKey' | 'accountId'>;
  /** Who opens it by a session; by a link, who has the link. */
  readonly by?: OperatorAct;
  /** Where it is opened from. */
  readonly address: string;
  readonly requestId: string;
}

/**
 * Opens a link: makes the secret of a live key, which is in this answer and nowhere else, and has the key in force from
 * now on. Of several who open it one has the secret.
 *
 * @throws NotFoundError once it was opened, its time is up, or the key was revoked
 */
export async function claimKey(
  database: Database,
  directory: CallerDirectory,
  { claim: { publicKey, accountId }, by, address, requestId }: Opening,
): Promise<KeyPair> {
  const at = by?.at ?? new Date();
  const secretKey = newSecretKey('live');
  await database.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const key = await tx.em.findOne(ApiKeyEntity, { publicKey, accountId }, lock);
    if (!key || !isOpen(key, at)) throw new NotFoundError('page');
    const before = presentKey(key);
    key.secretHash = secretDigestOf(secretKey).toString('hex');
    key.claimedAt = at;
    const after = { ...presentKey(key), address };
    const act = by ?? { operator: merchantName, may: mayNothing, requestId, at };
    recordAudit(tx, act, { action: 'key.claim', target: publicKey, before, after });
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

/** Ends live keys whose merchants have not fetched a secret in time: a link that was lost opens nothing later. */
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
