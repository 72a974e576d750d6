import { createPublicKey, type KeyObject } from 'node:crypto';
import type { WooviConnection } from '#src/woovi/connection.ts';
import { publicKeysSchema } from '#src/woovi/wire.ts';

/** A signature by an unknown key makes us ask this often at most: everybody can send one. */
const askAgainMs = 300_000;

export interface PublicKeys {
  /** Those that are configured, and those that were published when last asked. */
  known(): readonly KeyObject[];
  /** Those that Woovi publishes now, unless it was asked a moment ago; none when it does not answer. */
  published(): Promise<readonly KeyObject[]>;
}

/**
 * The keys Woovi signs with. At a rotation the old and the new one overlap, and any of them counts: `GET
 * /api/v1/webhook/public-keys` is asked when a signature fits none that is known.
 */
export function publicKeysOf(connection: WooviConnection, configured: readonly string[]): PublicKeys {
  const fixed = configured.flatMap(keyOf);
  let fetched: readonly KeyObject[] = [];
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<readonly KeyObject[]> | null = null;

  const ask = async (): Promise<readonly KeyObject[]> => {
    const path = '/api/v1/webhook/public-keys';
    const outcome = await connection.callOpenly({ method: 'GET', path, schema: publicKeysSchema });
    if (outcome.kind !== 'answered') return [];
    fetched = outcome.value.public_keys.flatMap(({ key }) => keyOf(key));
    return fetched;
  };
  return {
    known: () => [...fixed, ...fetched],
    published: async () => {
      const nowMs = performance.now();
      if (asking) return await asking;
      if (nowMs - askedAtMs < askAgainMs) return [];
      askedAtMs = nowMs;
      asking = ask().finally(() => (asking = null));
      return await asking;
    },
  };
}

function keyOf(pem: string): KeyObject[] {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'rsa' ? [key] : [];
  } catch {
    return [];
  }
}
