import { allowlistRequestSchema, allowlistResourceSchema } from '@gateway/public-api';
import { replaceAllowlist } from '#src/keys/replace-allowlist.ts';
import { merchantEndpoint } from '#src/merchant/merchant-endpoint.ts';

export const allowlistEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/ip-allowlist',
    summary: 'Read from where the key of this call may be used; no entries means from anywhere',
    answers: { 200: allowlistResourceSchema },
    handle: async ({ caller }, { directory }) => {
      const key = await directory.find(caller.publicKey);
      return { status: 200, body: { ip_allowlist: key?.allowlist.entries ?? [] } };
    },
  }),
  merchantEndpoint({
    method: 'PUT',
    path: '/v1/ip-allowlist',
    summary: 'Replace from where the key of this call may be used; no entries lift the restriction',
    body: allowlistRequestSchema,
    answers: { 200: allowlistResourceSchema },
    handle: async ({ caller, body, address }, { database, directory }) => {
      const change = { publicKey: caller.publicKey, entries: body.entries, callerAddress: address };
      return { status: 200, body: { ip_allowlist: await replaceAllowlist(database, directory, change) } };
    },
  }),
];
