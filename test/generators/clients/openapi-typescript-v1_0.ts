import createClient from 'openapi-fetch';
import type { paths } from '../generated/v1_0/openapi-typescript.ts';
import { expected, recipient } from './answers.ts';
import type { Connection, MerchantClient } from '../merchant-journey.ts';

export function connect({ baseUrl, publicKey, secretKey }: Connection): MerchantClient {
  const headers = { 'x-api-key': publicKey, 'x-api-secret': secretKey };
  const api = createClient<paths>({ baseUrl, headers });
  const header = { 'X-Api-Version': '1.0' as const };
  return {
    createDeposit: async (externalId) => {
      const body = { amount: 1_500, external_id: externalId };
      const { data, error } = await api.POST('/v1/deposits', { params: { header }, body });
      return expected(data, error);
    },
    payDeposit: async (id) => {
      const { data, error } = await api.POST('/v1/test/deposits/{id}/pay', { params: { path: { id }, header } });
      return expected(data, error).status;
    },
    readDeposit: async (id) => {
      const { data, error } = await api.GET('/v1/deposits/{id}', { params: { path: { id }, header } });
      return expected(data, error).status;
    },
    listDeposits: async () => {
      const { data, error } = await api.GET('/v1/deposits', { params: { query: { limit: 10 }, header } });
      const page = expected(data, error);
      return typeof page === 'string' ? [] : page.data.map(({ id }) => id);
    },
    refundDeposit: async (id, externalId) => {
      const body = { amount: 100, external_id: externalId };
      const { data, error } = await api.POST('/v1/deposits/{id}/refunds', { params: { path: { id }, header }, body });
      return expected(data, error).refund.status;
    },
    sendPayout: async (externalId, amount) => {
      const key = { payout_key: 'maria@example.com', payout_key_type: 'email' as const };
      const body = { amount: amount, external_id: externalId, ...key, recipient };
      const { data, error } = await api.POST('/v1/payouts', { params: { header }, body });
      return data?.payout.status ?? error?.error.code ?? '';
    },
    registerWebhook: async (url) => {
      const { data, error } = await api.POST('/v1/webhooks', { params: { header }, body: { name: 'shop', url } });
      return expected(data, error).secret;
    },
  };
}
