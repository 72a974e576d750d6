import { createClient } from '../generated/v0_1/hey-api/client/index.js';
import * as api from '../generated/v0_1/hey-api/sdk.gen.js';
import { expected, recipient } from './answers.ts';
import type { Connection, MerchantClient } from '../merchant-journey.ts';

export function connect({ baseUrl, publicKey, secretKey }: Connection): MerchantClient {
  const auth = ({ name }: { readonly name?: string }) => (name === 'x-api-key' ? publicKey : secretKey);
  const client = createClient({ baseUrl, auth });

  return {
    createDeposit: async (externalId) => {
      const body = { amount_cents: 1_500, external_id: externalId };
      const { data, error } = await api.createDeposit({ client, body });
      return expected(data, error);
    },
    payDeposit: async (id) => {
      const { data, error } = await api.simulateDepositPayment({ client, path: { id } });
      return expected(data, error).status;
    },
    readDeposit: async (id) => {
      const { data, error } = await api.getDeposit({ client, path: { id } });
      return expected(data, error).status;
    },
    listDeposits: async () => {
      const { data, error } = await api.listDeposits({ client, query: { limit: 10 } });
      return expected(data, error).data.map(({ id }) => id);
    },
    refundDeposit: async (id, externalId) => {
      const body = { amount_cents: 100, external_id: externalId };
      const { data, error } = await api.createRefund({ client, path: { id }, body });
      return expected(data, error).refund.status;
    },
    sendPayout: async (externalId, amount) => {
      const key = { pix_key: 'maria@example.com', pix_key_type: 'email' as const };
      const body = { amount_cents: amount, external_id: externalId, ...key, recipient };
      const { data, error } = await api.createPayout({ client, body });
      return data?.payout.status ?? error?.error.code ?? '';
    },
    registerWebhook: async (url) => {
      const { data, error } = await api.createWebhook({ client, body: { name: 'shop', url } });
      return expected(data, error).secret;
    },
  };
}
