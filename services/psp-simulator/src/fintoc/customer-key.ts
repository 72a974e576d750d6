import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '@gateway/persistence';
import { keptPrivateKey, pemOf } from '#src/bank/kept-key.ts';
import { FintocError } from '#src/fintoc/bank.ts';

/** The key pair of the one customer: a gateway is given the private half, its calls are verified with the public one. */
export interface CustomerKey {
  readonly privateKeyPem: string;
  readonly publicKey: KeyObject;
}

/** Made at the first start and kept. */
export async function loadCustomerKey(database: Database): Promise<CustomerKey> {
  const privateKey = await keptPrivateKey(database, 'fintoc_customer_key');
  return { privateKeyPem: pemOf(privateKey), publicKey: createPublicKey(privateKey) };
}

const headerSchema = z.object({
  alg: z.literal('RS256'),
  nonce: z.string().min(16),
  ts: z.int().positive(),
  crit: z.array(z.string()).refine((names) => names.includes('ts') && names.includes('nonce')),
});

/** Nonces of this process: a signature is good for one call. */
const used = new Set<string>();

/** @throws FintocError where the body is not signed by the customer, or the signature was used before */
export function requireSignature(publicKey: KeyObject, header: unknown, body: string): void {
  const [, protectedPart, signature] = /^([\w-]+)\.([\w-]+)$/.exec(String(header)) ?? [];
  const parsed = headerSchema.safeParse(jsonOf(protectedPart ?? ''));
  const signed = `${protectedPart ?? ''}.${Buffer.from(body).toString('base64url')}`;
  const isValid =
    parsed.success && verify('sha256', Buffer.from(signed), publicKey, Buffer.from(signature ?? '', 'base64url'));
  if (!isValid || used.has(parsed.data.nonce)) {
    throw new FintocError('invalid_jws_signature', 'The JWS signature is missing or wrong', {
      type: 'authentication_error',
      status: 401,
    });
  }
  used.add(parsed.data.nonce);
}

function jsonOf(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return null;
  }
}
