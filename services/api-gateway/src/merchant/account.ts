import {
  allowlistRequestSchema,
  allowlistResourceSchema,
  ownAccountResourceSchema,
  presentOwnAccount,
} from '@gateway/public-api';
import { replaceAllowlist } from '#src/accounts/ip-allowlist.ts';
import { merchantEndpoint } from '#src/merchant/merchant-endpoint.ts';

export const accountEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/account',
    summary: 'Read the account behind the key',
    answers: { 200: ownAccountResourceSchema },
    handle: async ({ caller }) => ({ status: 200, body: presentOwnAccount(caller) }),
  }),
];

export const allowlistEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/ip-allowlist',
    summary: 'Read the addresses from which the key of this call may be used; no entries means any address',
    answers: { 200: allowlistResourceSchema },
    handle: async ({ caller }, { directory }) => {
      const key = await directory.find(caller.publicKey);
      return { status: 200, body: { ip_allowlist: key?.allowlist.entries ?? [] } };
    },
  }),
  merchantEndpoint({
    method: 'PUT',
    path: '/v1/ip-allowlist',
    summary: 'Replace the addresses from which the key of this call may be used; no entries lift the restriction',
    body: allowlistRequestSchema,
    example: { entries: ['203.0.113.7', '2001:db8::/32'] },
    answers: { 200: allowlistResourceSchema },
    handle: async ({ caller, body, address }, { database, directory }) => {
      const change = { publicKey: caller.publicKey, entries: body.entries, callerAddress: address };
      return { status: 200, body: { ip_allowlist: await replaceAllowlist(database, directory, change) } };
    },
  }),
];
