import type { KeyScope } from '@gateway/contracts/accounts';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ApiVersion, Environment } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import type { KeyRequest } from '@gateway/public-api';
import { secretDigestOf } from '@gateway/runtime';
import { AccountEntity } from '#src/accounts/account.ts';
import {
  ApiKeyEntity,
  type KeyPair,
  newKeyPair,
  newPublicKey,
  newSecretKey,
  presentKey,
} from '#src/accounts/api-key.ts';
import { claimUrl } from '#src/accounts/claim-key.ts';
import type { Approval, ApprovalEntity, ApprovalRules, Recording } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

/** How long a merchant has to fetch the secret of a live key. */
const claimLifetimeMs = 24 * 3_600_000;

export interface KeyIssue {
  readonly accountId: string;
  readonly request: KeyRequest;
}

/** What a key is, beside whose. */
export interface KeyTerms {
  readonly api_version: ApiVersion;
  readonly name?: string | null | undefined;
  /** Null or left out: the key is limited to nothing. */
  readonly scopes?: readonly KeyScope[] | null | undefined;
  /** Normalised; left out: from anywhere. */
  readonly ip_allowlist?: readonly string[] | undefined;
}

export interface NewKey {
  readonly accountId: string;
  readonly environment: Environment;
  readonly terms: KeyTerms;
}

/** Gives an account a key pair, in force at once. The secret is in this answer and nowhere else. */
export async function issueKey(database: Database, act: OperatorAct, issue: NewKey): Promise<KeyPair> {
  return await database.transaction(async (tx) => {
    await requireAccount(tx, issue.accountId);
    const pair = newKeyPair(issue.environment, issue.terms.api_version);
    const key = keyOf(issue, pair.publicKey, act.at);
    key.secretHash = secretDigestOf(pair.secretKey).toString('hex');
    await create(tx, act, { key, terms: issue.terms });
    return pair;
  });
}

/** A live key that two people agreed on. It has no secret, and opens nothing, until the secret is fetched. */
export function issueUnclaimed(issue: NewKey, secretKey: string | null = null): Recording {
  return async (tx, act) => {
    const { environment, terms } = issue;
    const publicKey = newPublicKey(environment, terms.api_version);
    const claimExpiresAt = new Date(act.at.getTime() + claimLifetimeMs);
    const secretHash = secretKey && secretDigestOf(secretKey).toString('hex');
    await create(tx, act, { key: { ...keyOf(issue, publicKey, act.at), secretHash, claimExpiresAt }, terms });
    const outcome = { public_key: publicKey, claim_expires_at: Math.floor(claimExpiresAt.getTime() / 1_000) };
    return secretKey ? { outcome, shownOnce: { secret_key: secretKey } } : { outcome };
  };
}

/** A live key moves money: one operator proposes it, another approves it, and neither sees its secret. */
export async function proposeLiveKey(
  database: Database,
  act: OperatorAct,
  { accountId, request: { reason = null, ...request } }: KeyIssue,
): Promise<ApprovalEntity> {
  return await database.transaction(async (tx) => {
    await requireAccount(tx, accountId);
    const subject = { kind: 'key.issue', environment: 'live', accountId, target: accountId } as const;
    return proposeApproval(tx, act, { ...subject, request, before: null, reason });
  });
}

interface LiveKeyOptions {
  /** The merchants' console, where the secret is fetched. */
  readonly consoleUrl: string;
  /**
   * For a stack on loopback alone: the key can be used at once, and the approver's answer has the secret, so that scripts
   * get along without signing in. Fetching it all the same gives the key another secret.
   */
  readonly showsSecret: boolean;
}

/** An approved live key has no secret yet and opens nothing, until a person of its merchant fetches one. */
export function liveKeyRules({ consoleUrl, showsSecret }: LiveKeyOptions): ApprovalRules {
  const apply = async (approval: Approval) => {
    const { environment, ...terms } = approval.request as KeyRequest;
    return issueUnclaimed(
      { accountId: approval.target, environment, terms },
      showsSecret ? newSecretKey(environment) : null,
    );
  };
  const forApprover = ({ accountId, outcome }: Approval) => {
    const { public_key: publicKey } = outcome as unknown as IssuedLiveKey;
    return { claim_url: claimUrl(consoleUrl, { publicKey, accountId: accountId ?? '' }) };
  };
  return { apply, forApprover };
}

interface IssuedLiveKey {
  readonly public_key: string;
}

function keyOf({ accountId, environment, terms }: NewKey, publicKey: string, createdAt: Date): ApiKeyEntity {
  return {
    ...{ publicKey, accountId, environment, createdAt },
    secretHash: null,
    claimExpiresAt: null,
    claimedAt: null,
    apiVersion: terms.api_version,
    name: terms.name ?? null,
    scopes: terms.scopes ? [...terms.scopes] : null,
    lastUsedAt: null,
    revokedAt: null,
  };
}

interface Created {
  readonly key: ApiKeyEntity;
  readonly terms: KeyTerms;
}

async function create(
  tx: Tx,
  act: OperatorAct,
  { key, terms: { ip_allowlist: entries = [] } }: Created,
): Promise<void> {
  const created = tx.em.create(ApiKeyEntity, key);
  recordAudit(tx, act, { action: 'key.issue', target: key.publicKey, before: null, after: presentKey(key) });
  if (entries.length === 0) return;
  await tx.em.flush();
  await tx.sql('update api_key set ip_allowlist = $2::text[] where public_key = $1', [created.publicKey, entries]);
}

/** @throws NotFoundError */
async function requireAccount(tx: Tx, id: string): Promise<void> {
  const account = isId('account', id) ? await tx.em.findOne(AccountEntity, { id }) : null;
  if (!account) throw new NotFoundError('account');
}
