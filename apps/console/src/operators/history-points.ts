/** What a service had to work off in an hour or on a day. */
interface BacklogTime {
  readonly kind: string;
  readonly service: string;
  /** Unix seconds. */
  readonly at: number;
  readonly most: number;
  readonly last: number;
}

export interface BacklogPoint {
  readonly at: number;
  /** Null where it was not counted. */
  readonly most: number | null;
  /** Which service had them. */
  readonly service: string | null;
}

/** A point for each of these times: of a kind that several services have, that of the service that had most. */
export function backlogPoints(
  data: readonly BacklogTime[],
  kind: string,
  slots: readonly number[],
): readonly BacklogPoint[] {
  return slots.map((at) => {
    const [most] = data
      .filter((each) => each.kind === kind && each.at === at)
      .sort((one, other) => other.most - one.most);
    return { at, most: most?.most ?? null, service: most?.service ?? null };
  });
}

/** How many there were when they were counted last, of all services together; undefined where they never were. */
export function lastBacklog(data: readonly BacklogTime[], kind: string): number | undefined {
  const own = data.filter((each) => each.kind === kind);
  const at = Math.max(...own.map((each) => each.at));
  if (own.length === 0) return undefined;
  return own.filter((each) => each.at === at).reduce((sum, { last }) => sum + last, 0);
}

/** Calls of a provider in an hour or on a day. */
interface CallTime {
  readonly provider: string;
  readonly at: number;
  readonly calls: number;
  readonly failed: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly p99_ms: number | null;
}

/** A point for each of these times, also for one in which the provider was not called. */
export function callPoints(
  data: readonly CallTime[],
  provider: string,
  slots: readonly number[],
): readonly Omit<CallTime, 'provider'>[] {
  return slots.map((at) => {
    const found = data.find((each) => each.provider === provider && each.at === at);
    return found ?? { at, calls: 0, failed: 0, p50_ms: null, p95_ms: null, p99_ms: null };
  });
}
