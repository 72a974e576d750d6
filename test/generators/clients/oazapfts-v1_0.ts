import * as api from '../generated/v1_0/oazapfts.ts';
import { recipient, refused } from './answers.ts';
import type { Connection, MerchantClient } from '../merchant-journey.ts';

export function connect({ baseUrl, publicKey, secretKey }: Connection): MerchantClient {
  api.defaults.baseUrl = baseUrl;
  api.defaults.headers = { 'x-api-key': publicKey, 'x-api-secret': secretKey };
  return {
    createDeposit: async (externalId) => {
      const answer = await api.createDeposit('1.0', { amount: 1_500, external_id: externalId });
      if (answer.status === 200 || answer.status === 201) return answer.data;
      return refused(answer.data);
    },
    payDeposit: async (id) => {
      const answer = await api.simulateDepositPayment(id, '1.0');
      return answer.status === 200 ? answer.data.status : refused(answer.data);
    },
    readDeposit: async (id) => {
      const answer = await api.getDeposit(id, '1.0');
      return answer.status === 200 ? answer.data.status : refused(answer.data);
    },
    listDeposits: async () => {
      const answer = await api.listDeposits('1.0', { limit: 10 });
      return answer.status === 200 ? answer.data.data.map(({ id }) => id) : refused(answer.data);
    },
    refundDeposit: async (id, externalId) => {
      const answer = await api.createRefund(id, '1.0', { amount: 100, external_id: externalId });
      if (answer.status === 200 || answer.status === 201) return answer.data.refund.status;
      return refused(answer.data);
    },
    sendPayout: async (externalId, amount) => {
      const key = { payout_key: 'maria@example.com', payout_key_type: 'email' as const };
      const answer = await api.createPayout('1.0', { amount: amount, external_id: externalId, ...key, recipient });
      if (answer.status === 200 || answer.status === 201) return answer.data.payout.status;
      return answer.status === 422 ? answer.data.error.code : refused(answer.data);
    },
    registerWebhook: async (url) => {
      const answer = await api.createWebhook('1.0', { name: 'shop', url });
      return answer.status === 201 ? answer.data.secret : refused(answer.data);
    },
  };
}
