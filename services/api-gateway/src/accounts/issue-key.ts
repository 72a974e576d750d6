import { NotFoundError } from '@gateway/contracts/errors';
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
import type { ClaimLinks } from '#src/accounts/claim-key.ts';
import type { Approval, ApprovalEntity, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

/** How long a merchant has to fetch the secret of a live key. */
const claimLifetimeMs = 24 * 3_600_000;

export interface KeyIssue {
  readonly accountId: string;
  readonly request: KeyRequest;
}

/** Gives an account a test key pair. The secret is in this answer and nowhere else. */
export async function issueTestKey(
  database: Database,
  act: OperatorAct,
  { accountId, request }: KeyIssue,
): Promise<KeyPair> {
  return await database.transaction(async (tx) => {
    await requireAccount(tx, accountId);
    const pair = newKeyPair('test', request.api_version);
    const key = keyOf({ accountId, request: { ...request, environment: 'test' } }, pair.publicKey, act.at);
    key.secretHash = secretDigestOf(pair.secretKey).toString('hex');
    create(tx, act, key);
    return pair;
  });
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
  readonly links: ClaimLinks;
  /**
   * For a stack on loopback alone: the key can be used at once, and the approver's answer has the secret, so that scripts
   * get along without opening a link. Opening it all the same gives the key another secret.
   */
  readonly showsSecret: boolean;
}

/** An approved live key has no secret yet and opens nothing, until its merchant fetches one by the link. */
export function liveKeyRules({ links, showsSecret }: LiveKeyOptions): ApprovalRules {
  const apply = async (approval: Approval) => async (tx: Tx, act: OperatorAct) => {
    const issue = { accountId: approval.target, request: approval.request as KeyRequest };
    const { environment, api_version: apiVersion } = issue.request;
    const publicKey = newPublicKey(environment, apiVersion);
    const claimExpiresAt = new Date(act.at.getTime() + claimLifetimeMs);
    const secretKey = showsSecret ? newSecretKey(environment) : null;
    const secretHash = secretKey && secretDigestOf(secretKey).toString('hex');
    create(tx, act, { ...keyOf(issue, publicKey, act.at), secretHash, claimExpiresAt });
    const outcome = { public_key: publicKey, claim_expires_at: Math.floor(claimExpiresAt.getTime() / 1_000) };
    return secretKey ? { outcome, shownOnce: { secret_key: secretKey } } : { outcome };
  };
  const forApprover = ({ accountId, outcome }: Approval) => {
    const { public_key: publicKey, claim_expires_at: expiresAt } = outcome as unknown as IssuedLiveKey;
    return { claim_url: links.urlOf({ publicKey, accountId: accountId ?? '', expiresAt }) };
  };
  return { apply, forApprover };
}

interface IssuedLiveKey {
  readonly public_key: string;
  readonly claim_expires_at: number;
}

function keyOf({ accountId, request }: KeyIssue, publicKey: string, createdAt: Date): ApiKeyEntity {
  return {
    publicKey,
    accountId,
    createdAt,
    secretHash: null,
    claimExpiresAt: null,
    claimedAt: null,
    environment: request.environment,
    apiVersion: request.api_version,
    name: request.name ?? null,
    lastUsedAt: null,
    revokedAt: null,
  };
}

function create(tx: Tx, act: OperatorAct, key: ApiKeyEntity): void {
  tx.em.create(ApiKeyEntity, key);
  recordAudit(tx, act, { action: 'key.issue', target: key.publicKey, before: null, after: presentKey(key) });
}

/** @throws NotFoundError */
async function requireAccount(tx: Tx, id: string): Promise<void> {
  const account = isId('account', id) ? await tx.em.findOne(AccountEntity, { id }) : null;
  if (!account) throw new NotFoundError('account');
}
