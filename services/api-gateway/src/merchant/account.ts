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
    operation: 'getAccount',
    summary: 'Read the account behind the key',
    description:
      'Answers with the account, its fees and the contract that the key speaks. It is the call to test ' +
      'credentials with. `events_since` says from when on its event log is whole.',
    answers: { 200: ownAccountResourceSchema },
    handle: async ({ caller }, { logStarts }) => ({
      status: 200,
      body: presentOwnAccount(caller, await logStarts.of(caller.environment)),
    }),
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/account/branding',
    operation: 'getBranding',
    summary: 'Read the colour and the logo that the payment page shows',
    description:
      'Answers with the colour and the logo of the environment of the key; test and live each have their own.',
    answers: { 200: brandingResourceSchema },
    handle: async (call, { database }) => ({
      status: 200,
      body: presentBranding(await brandingOf(database, ownerOf(call))),
    }),
  }),
  merchantEndpoint({
    method: 'PUT',
    path: '/v1/account/branding',
    operation: 'replaceBranding',
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
    operation: 'getIpAllowlist',
    summary: 'Read the addresses from which the key of this call may be used; no entries means any address',
    description: 'Answers with the addresses and ranges from which the key of this call may be used.',
    answers: { 200: allowlistResourceSchema },
    handle: async ({ caller }, { directory }) => {
      const key = await directory.find(caller.publicKey);
      return { status: 200, body: { ip_allowlist: key?.allowlist.entries ?? [] } };
    },
  }),
  merchantEndpoint({
    method: 'PUT',
    path: '/v1/ip-allowlist',
    operation: 'replaceIpAllowlist',
    summary: 'Replace the addresses from which the key of this call may be used; no entries lift the restriction',
    description:
      'Replaces the whole list, within a second everywhere. A list that leaves out the address of the call is ' +
      'refused with 400 `IP_ALLOWLIST_EXCLUDES_CALLER`, so that nobody locks himself out. No entries lift the ' +
      'restriction.',
    refusals: ['IP_ALLOWLIST_EXCLUDES_CALLER', 'LIMIT_REACHED'],
    body: allowlistRequestSchema,
    example: { entries: ['203.0.113.7', '2001:db8::/32'] },
    answers: { 200: allowlistResourceSchema },
    handle: async ({ caller, body, address }, { database, directory }) => {
      const change = { publicKey: caller.publicKey, entries: body.entries, callerAddress: address };
      return { status: 200, body: { ip_allowlist: await replaceAllowlist(database, directory, change) } };
    },
  }),
];
