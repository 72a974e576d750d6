import { ownAccountResourceSchema, presentOwnAccount } from '@gateway/public-api';
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
