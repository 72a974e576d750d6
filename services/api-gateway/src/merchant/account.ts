import {
  allowlistRequestSchema,
  allowlistResourceSchema,
  brandingRequestSchema,
  brandingResourceSchema,
  ownAccountResourceSchema,
  presentOwnAccount,
} from '@gateway/public-api';
import { type Branding, brandingOf, replaceBranding } from '#src/accounts/branding.ts';
import { replaceAllowlist } from '#src/accounts/ip-allowlist.ts';
import { merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';

export const accountEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/account',
    summary: 'Read the account behind the key',
    answers: { 200: ownAccountResourceSchema },
    handle: async ({ caller }) => ({ status: 200, body: presentOwnAccount(caller) }),
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/account/branding',
    summary: 'Read the colour and the logo that the payment page shows',
    answers: { 200: brandingResourceSchema },
    handle: async (call, { database }) => ({
      status: 200,
      body: presentBranding(await brandingOf(database, ownerOf(call))),
    }),
  }),
  merchantEndpoint({
    method: 'PUT',
    path: '/v1/account/branding',
    summary: 'Replace the colour and the logo that the payment page shows',
    description: 'Test and live each have their own. A member that is left out or null is taken away.',
    body: brandingRequestSchema,
    example: { color: '#0b5f4d' },
    answers: { 200: brandingResourceSchema },
    handle: async (call, { database }) => ({
      status: 200,
      body: presentBranding(await replaceBranding(database, ownerOf(call), call.body)),
    }),
  }),
];

function presentBranding({ color, logo }: Branding) {
  return { color, logo: logo?.toString('base64') ?? null };
}

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
