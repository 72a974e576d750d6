import type { Stack } from '@gateway/local-stack';
import { MerchantClient } from '../support/merchant-client.ts';

export interface Merchant {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** By none of our own code. */
  readonly plain: MerchantClient;
}

/** A test key of an account of its own, whose rate limits nothing here reaches. */
export async function newMerchant(stack: Stack): Promise<Merchant> {
  const headers = { authorization: `Bearer ${stack.dev.ops_tokens[0]}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${stack.opsUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json() as any;
  };
  const account = await post('/ops/accounts', {
    name: 'Loja',
    document: '52998224725',
    rate_limit: { per_second: 1_000, burst: 2_000 },
  });
  const keys = await post(`/ops/accounts/${account.id}/keys`, { environment: 'test' });
  const { public_key: publicKey, secret_key: secretKey } = keys;
  return { baseUrl: stack.baseUrl, publicKey, secretKey, plain: new MerchantClient(stack.baseUrl, keys) };
}
