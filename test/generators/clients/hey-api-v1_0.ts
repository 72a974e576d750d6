import { createClient } from '../generated/v1_0/hey-api/client/index.js';
import * as api from '../generated/v1_0/hey-api/sdk.gen.js';
import { expected, recipient } from './answers.ts';
import type { Connection, MerchantClient } from '../merchant-journey.ts';

export function connect({ baseUrl, publicKey, secretKey }: Connection): MerchantClient {
  const auth = ({ name }: { readonly name?: string }) => (name === 'x-api-key' ? publicKey : secretKey);
  const client = createClient({ baseUrl, auth });
  const headers = { 'X-Api-Version': '1.0' as const };
  return {
    createDeposit: async (externalId) => {
      const body = { amount: 1_500, external_id: externalId };
      const { data, error } = await api.createDeposit({ client, headers, body });
      return expected(data, error);
    },
    payDeposit: async (id) => {
      const { data, error } = await api.simulateDepositPayment({ client, headers, path: { id } });
      return expected(data, error).status;
    },
    readDeposit: async (id) => {
      const { data, error } = await api.getDeposit({ client, headers, path: { id } });
      return expected(data, error).status;
    },
    listDeposits: async () => {
      const { data, error } = await api.listDeposits({ client, headers, query: { limit: 10 } });
      return expected(data, error).data.map(({ id }) => id);
    },
    refundDeposit: async (id, externalId) => {
      const body = { amount: 100, external_id: externalId };
      const { data, error } = await api.createRefund({ client, headers, path: { id }, body });
      return expected(data, error).refund.status;
    },
    sendPayout: async (externalId, amount) => {
      const key = { payout_key: 'maria@example.com', payout_key_type: 'email' as const };
      const body = { amount: amount, external_id: externalId, ...key, recipient };
      const { data, error } = await api.createPayout({ client, headers, body });
      return data?.payout.status ?? error?.error.code ?? '';
    },
    registerWebhook: async (url) => {
      const { data, error } = await api.createWebhook({ client, headers, body: { name: 'shop', url } });
      return expected(data, error).secret;
    },
  };
}
