import { Gateway, type GatewayOptions } from '#src/index.ts';

/** A secret that no output may show. */
export const secretKey = 'sk_test_5eecret0f4rea1merchant';

/** A client of a server in this process, which hardly waits before it repeats a call. */
export function clientOf(baseUrl: string, options: Partial<GatewayOptions> = {}): Gateway {
  return new Gateway({ baseUrl, publicKey: 'pk_test_shop', secretKey, retryDelayMs: 1, ...options });
}

export const deposit = {
  id: 'dep_1',
  object: 'deposit',
  external_id: 'order-1',
  status: 'PENDING',
  amount_cents: 1_990,
};

export const payout = {
  ...{ id: 'pyt_1', object: 'payout', external_id: 'payout-1', status: 'PROCESSING', amount_cents: 500 },
  ...{ pix_key: 'maria@example.com', pix_key_type: 'email' },
};

export const payoutParams = {
  amount_cents: 500,
  external_id: 'payout-1',
  pix_key: 'maria@example.com',
  pix_key_type: 'email',
  recipient: { name: 'Maria da Silva', document: '52998224725' },
} as const;
