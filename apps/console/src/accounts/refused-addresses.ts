interface Refused {
  readonly key: string;
  readonly address: string;
  /** Unix seconds. */
  readonly created_at: number;
}

export interface RefusedAddress {
  readonly key: string;
  readonly address: string;
  readonly times: number;
  /** Unix seconds. */
  readonly lastAt: number;
}

/** From where each key was used in vain, and how often; the last one first. */
export function refusedAddresses(requests: readonly Refused[]): readonly RefusedAddress[] {
  const byAddress = Map.groupBy(requests, ({ key, address }) => `${key} ${address}`);
  return [...byAddress.values()]
    .flatMap((same) => {
      const [first] = same;
      if (!first) return [];
      const lastAt = Math.max(...same.map(({ created_at: at }) => at));
      return [{ key: first.key, address: first.address, times: same.length, lastAt }];
    })
    .sort((one, other) => other.lastAt - one.lastAt);
}
