import createClient from 'openapi-fetch';
import type { paths } from '../generated/v0_1/openapi-typescript.ts';
import { expected, recipient } from './answers.ts';
import type { Connection, MerchantClient } from '../merchant-journey.ts';

export function connect({ baseUrl, publicKey, secretKey }: Connection): MerchantClient {
  const headers = { 'x-api-key': publicKey, 'x-api-secret': secretKey };
  const api = createClient<paths>({ baseUrl, headers });

  return {
    createDeposit: async (externalId) => {
      const body = { amount_cents: 1_500, external_id: externalId };
      const { data, error } = await api.POST('/v1/deposits', { body });
      return expected(data, error);
    },
    payDeposit: async (id) => {
      const { data, error } = await api.POST('/v1/test/deposits/{id}/pay', { params: { path: { id } } });
      return expected(data, error).status;
    },
    readDeposit: async (id) => {
      const { data, error } = await api.GET('/v1/deposits/{id}', { params: { path: { id } } });
      return expected(data, error).status;
    },
    listDeposits: async () => {
      const { data, error } = await api.GET('/v1/deposits', { params: { query: { limit: 10 } } });
      const page = expected(data, error);
      return typeof page === 'string' ? [] : page.data.map(({ id }) => id);
    },
    refundDeposit: async (id, externalId) => {
      const body = { amount_cents: 100, external_id: externalId };
      const { data, error } = await api.POST('/v1/deposits/{id}/refunds', { params: { path: { id } }, body });
      return expected(data, error).refund.status;
    },
    sendPayout: async (externalId, amount) => {
      const key = { pix_key: 'maria@example.com', pix_key_type: 'email' as const };
      const body = { amount_cents: amount, external_id: externalId, ...key, recipient };
      const { data, error } = await api.POST('/v1/payouts', { body });
      return data?.payout.status ?? error?.error.code ?? '';
    },
    registerWebhook: async (url) => {
      const { data, error } = await api.POST('/v1/webhooks', { body: { name: 'shop', url } });
      return expected(data, error).secret;
    },
  };
}
