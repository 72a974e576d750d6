import { z } from 'zod';
import type { KeyScope } from '@gateway/contracts/accounts';
import { NotFoundError } from '@gateway/contracts/errors';
import { apiVersionSchema, requestText } from '@gateway/contracts/values';
import { keyScopesSchema, keysQuerySchema } from '@gateway/public-api';
import type { Database } from '@gateway/persistence';
import { AccountEntity, toAccount } from '#src/accounts/account.ts';
import { ApiKeyEntity, isPublicKey } from '#src/accounts/api-key.ts';
import { claimKey } from '#src/accounts/claim-key.ts';
import { assignAllowlist } from '#src/accounts/assign-allowlist.ts';
import { allowlistOf } from '#src/accounts/ip-allowlist.ts';
import { issueKey } from '#src/accounts/issue-key.ts';
import { listKeys } from '#src/accounts/list-keys.ts';
import { revokeKey } from '#src/accounts/revoke-key.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import type { Member } from '#src/members/authenticate-member.ts';
import { actOf, memberEndpoint, type MemberCall } from '#src/members/member-endpoint.ts';
import { presentTeamApproval } from '#src/members/present-team-approval.ts';
import { usageOfKeys } from '#src/request-log/key-usage.ts';

const pair = z.object({ public_key: z.string(), secret_key: z.string() });
/** With one of them, money leaves the account without a person: refunds take another person above the same amount. */
const spending: readonly KeyScope[] = ['payouts:write', 'refunds:write'];

/** So far back is counted what keys called. */
const usageHours = 24;

/** Keys by self service, of the account and the environment of the request. A key has no part in it: it issues no other. */
export const memberKeyEndpoints = [
  memberEndpoint({
    method: 'GET',
    path: '/v1/keys',
    operation: 'listMemberKeys',
    permission: 'keys:read',
    summary: 'The keys of the account in this environment, newest first, without their secrets',
    description:
      'Each with its scopes, its allowlist and its last use; the cursor is a public key. `address` is where the call comes from.',
    query: keysQuerySchema.pick({ limit: true, cursor: true, status: true, name: true }),
    answers: {
      200: z.object({ data: z.array(z.unknown()), next_cursor: z.string().nullable(), address: z.string() }),
    },
    handle: async ({ member: { accountId, environment }, query, address }, { database }) => {
      const { keys, nextCursor } = await listKeys(database, accountId, { ...query, environment });
      return { status: 200, body: { data: keys, next_cursor: nextCursor, address } };
    },
  }),
  memberEndpoint({
    method: 'GET',
    path: '/v1/keys/usage',
    operation: 'listMemberKeyUsage',
    permission: 'keys:read',
    summary: 'What the keys of the account in this environment called in the last 24 hours',
    description:
      'By key and contract, the busiest first, with how many of the calls were over the rate (429); the rate is that of each key. ' +
      'A call is counted within seconds of its answer.',
    answers: {
      200: z.object({
        data: z.array(z.unknown()),
        since: z.int(),
        rate_limit: z.object({ per_second: z.number(), burst: z.number() }),
      }),
    },
    handle: async ({ member }, { database }) => {
      const since = new Date(Date.now() - usageHours * 3_600_000);
      const [usage, account] = await Promise.all([
        usageOfKeys(database, member, since),
        database.reader().findOneOrFail(AccountEntity, { id: member.accountId }),
      ]);
      const { perSecond, burst } = toAccount(account).rateLimit;
      const data = usage.map(({ publicKey, apiVersion, calls, limited }) => ({
        ...{ public_key: publicKey, api_version: apiVersion, calls, limited },
      }));
      const body = { data, since: Math.floor(since.getTime() / 1_000), rate_limit: { per_second: perSecond, burst } };
      return { status: 200, body };
    },
  }),
  memberEndpoint({
    method: 'POST',
    path: '/v1/keys',
    operation: 'createMemberKey',
    permission: 'keys:write',
    withSecond: true,
    confirmed: true,
    summary: 'Issue a key, limited to scopes; the secret is in this answer alone',
    description:
      '202 with a proposal for a live key that can pay out or refund, and for every live key of a developer: another person ' +
      'of the account decides it, and the secret is then fetched by `POST /v1/keys/{public_key}/claim`.',
    body: z.strictObject({
      name: requestText(1, 64),
      scopes: keyScopesSchema.nullish(),
      api_version: apiVersionSchema.default('0.1'),
      ip_allowlist: z.array(z.string().max(64)).max(100).nullish(),
      reason: requestText(1, 500).nullish(),
    }),
    answers: { 201: pair, 202: z.object({ approval: z.unknown() }) },
    handle: async (call, { database, bus }) => {
      const { accountId, environment } = call.member;
      const { name, scopes = null, api_version, ip_allowlist, reason = null } = call.body;
      const terms = { name, scopes, api_version, ip_allowlist: allowlistOf(ip_allowlist ?? [], 'ip_allowlist') };
      const act = actOf(call, bus, true);
      if (!(await takesSecond(database, call.member, scopes))) {
        const { publicKey, secretKey } = await issueKey(database, act, { accountId, environment, terms });
        return { status: 201, body: { public_key: publicKey, secret_key: secretKey } };
      }
      const subject = { kind: 'team.key', environment, accountId, target: accountId } as const;
      const approval = await database.transaction(async (tx) =>
        proposeApproval(tx, act, { ...subject, request: terms, before: null, reason }),
      );
      return { status: 202, body: { approval: presentTeamApproval(approval, call.member) } };
    },
  }),
  memberEndpoint({
    method: 'POST',
    path: '/v1/keys/:publicKey/claim',
    operation: 'confirmMemberKey',
    permission: 'keys:write',
    withSecond: true,
    confirmed: true,
    summary: 'Fetch the secret of a live key that two agreed on, once',
    description:
      'Within 24 hours of its approval, by an owner or a developer of the account; the key opens nothing before. The link of a ' +
      'key that operators have issued to the account leads to the page that does this.',
    body: z.strictObject({}),
    answers: { 200: pair },
    handle: async (call, { database, directory, bus }) => {
      const key = await requireOwnKey(database, call);
      const opening = { key, by: actOf(call, bus, true), address: call.address };
      const { publicKey, secretKey } = await claimKey(database, directory, opening);
      return { status: 200, body: { public_key: publicKey, secret_key: secretKey } };
    },
  }),
  memberEndpoint({
    method: 'PUT',
    path: '/v1/keys/:publicKey/ip-allowlist',
    operation: 'replaceMemberKeyAllowlist',
    permission: 'keys:write',
    confirmed: true,
    summary: 'Replace the addresses from which a key may be used; no entries lift the restriction',
    description:
      'In force everywhere within a second. The list need not have the address of the call, which is no key.',
    body: z.strictObject({ entries: z.array(z.string().max(64)).max(100) }),
    answers: { 200: z.object({ ip_allowlist: z.array(z.string()) }) },
    handle: async (call, { database, directory, bus }) => {
      const key = await requireOwnKey(database, call);
      const wanted = { ...key, entries: call.body.entries };
      const entries = await assignAllowlist(database, directory, actOf(call, bus, true), wanted);
      return { status: 200, body: { ip_allowlist: [...entries] } };
    },
  }),
  memberEndpoint({
    method: 'DELETE',
    path: '/v1/keys/:publicKey',
    operation: 'revokeMemberKey',
    permission: 'keys:write',
    withSecond: true,
    confirmed: true,
    summary: 'Revoke a key, everywhere within a second',
    description: 'It cannot be undone: issue another key.',
    answers: { 204: null },
    handle: async (call, { database, directory, bus }) => {
      await revokeKey(database, directory, actOf(call, bus, true), await requireOwnKey(database, call));
      return { status: 204 };
    },
  }),
];

/**
 * Whether another person of the account decides a live key first: one that pays out or refunds, unless one person of the
 * account sends money alone, and any key of who has keys with a second person.
 */
async function takesSecond(
  database: Database,
  { accountId, environment, may }: Member,
  scopes: readonly KeyScope[] | null,
): Promise<boolean> {
  if (environment === 'test') return false;
  if (!may('keys:write')) return true;
  if (scopes !== null && !scopes.some((scope) => spending.includes(scope))) return false;
  const account = await database.reader().findOneOrFail(AccountEntity, { id: accountId });
  return (account.teamApprovalOver ?? null) !== null;
}

/** @throws NotFoundError for a key of another account or of the other environment */
async function requireOwnKey(database: Database, { member, params: { publicKey = '' } }: MemberCall) {
  const { accountId, environment } = member;
  const own = { publicKey, accountId, environment };
  const isOwn = isPublicKey(publicKey) && (await database.reader().count(ApiKeyEntity, own)) > 0;
  if (!isOwn) throw new NotFoundError('key');
  return own;
}
