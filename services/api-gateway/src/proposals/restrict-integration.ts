import { isDeepStrictEqual } from 'node:util';
import {
  type Integration,
  type IntegrationPrefix,
  listIntegrations,
  presentIntegration,
  removeIntegration,
  setIntegration,
} from '@gateway/contracts/connector';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { isCovered } from '@gateway/runtime/http';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval, requireUnchanged } from '#src/approvals/propose-approval.ts';

interface Services {
  readonly bus: Askable;
  readonly database: Database;
}

/** All restrictions of an account on a connector; `restrictions` is null where they are lifted. */
interface IntegrationRequest {
  readonly account_id: string;
  readonly prefix: IntegrationPrefix;
  readonly restrictions: { readonly ip_allowlist: string[]; readonly payouts_enabled: boolean } | null;
}

/**
 * Whether a key of the account could be used from more addresses than before, which takes two operators as clearing the
 * allowlist of a live key does: a list that is there is widened or lifted, or the first one at the second connector takes
 * the place of narrower lists of live keys (spec 4.1, rule 4).
 */
export async function widensAddresses({ bus, database }: Services, request: IntegrationRequest): Promise<boolean> {
  const before = (await readIntegration(bus, request))?.ipAllowlist ?? [];
  const after = request.restrictions?.ip_allowlist ?? [];
  if (before.length > 0) return after.length === 0 || !after.every((range) => isCovered(before, range));
  if (request.prefix !== 'alt') return false;
  const keys = await database.query<{ readonly ip_allowlist: readonly string[] }>(
    `select ip_allowlist from api_key
      where account_id = $1 and environment = 'live' and revoked_at is null and cardinality(ip_allowlist) > 0`,
    [request.account_id],
  );
  return keys.some(({ ip_allowlist: own }) => !after.every((range) => isCovered(own, range)));
}

export async function proposeIntegration(
  { bus, database }: Services,
  act: OperatorAct,
  request: IntegrationRequest,
): Promise<Approval> {
  const { account_id: accountId, prefix } = request;
  const before = namedBy(await readIntegration(bus, request));
  const subject = { kind: 'integration.set', environment: null, accountId, target: `${accountId}/${prefix}` } as const;
  return await database.transaction(async (tx) =>
    proposeApproval(tx, act, { ...subject, request, before: { restrictions: before }, reason: null }),
  );
}

/** Carries the widening of restrictions out; asked again, it finds that it was. */
export function integrationRules(bus: Bus): ApprovalRules {
  const apply = async (approval: Approval) => {
    const request = approval.request as unknown as IntegrationRequest;
    const now = await readIntegration(bus, request);
    const isDone = isDeepStrictEqual(namedBy(now), request.restrictions);
    if (!isDone) requireUnchanged({ restrictions: namedBy(now) }, approval.before);
    const after = isDone && now ? presentIntegration(now) : await changeIntegration(bus, request, now);
    return async (tx: Tx, act: OperatorAct) => {
      const action = request.restrictions ? 'integration.set' : 'integration.remove';
      recordAudit(tx, act, { action, target: approval.target, before: now ? presentIntegration(now) : null, after });
      return { outcome: after };
    };
  };
  return { apply };
}

async function changeIntegration(bus: Bus, request: IntegrationRequest, now: Integration | undefined) {
  const { account_id: accountId, prefix, restrictions } = request;
  if (restrictions) {
    const { ip_allowlist: ipAllowlist, payouts_enabled: payoutsEnabled } = restrictions;
    const set = await callRpc(bus, setIntegration, { accountId, prefix, ipAllowlist, payoutsEnabled });
    return presentIntegration(set.integration);
  }
  if (now) await callRpc(bus, removeIntegration, { accountId, prefix });
  return { account_id: accountId, removed: true };
}

function namedBy(integration: Integration | undefined): IntegrationRequest['restrictions'] {
  if (!integration) return null;
  return { ip_allowlist: integration.ipAllowlist, payouts_enabled: integration.payoutsEnabled };
}

async function readIntegration(
  bus: Askable,
  { account_id: accountId, prefix }: Pick<IntegrationRequest, 'account_id' | 'prefix'>,
): Promise<Integration | undefined> {
  const { integrations } = await callRpc(bus, listIntegrations, { accountId, prefix });
  return integrations.find((each) => each.accountId === accountId && each.prefix === prefix);
}
