import { UsageError } from '../faults/errors.ts';
import type { Output } from '../output/output.ts';
import type { Connection } from '../settings/connection.ts';

export interface LivePermission {
  readonly live?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** A call that may change something. */
export interface Change {
  readonly method: string;
  readonly path: string;
}

/** Routes by which money leaves a balance. */
const spending = /^\/v1\/(?:payouts|conversions|deposits\/[^/]+\/refunds)\/?(?:[?#]|$)/;

/**
 * A live key changes nothing without `--live`, and sends no money without a confirmation that is typed, or `--yes`.
 *
 * @throws UsageError: nothing was sent
 */
export async function requirePermission(
  { method, path }: Change,
  { environment, name, public_key: publicKey }: Connection,
  { live, yes }: LivePermission,
  output: Pick<Output, 'ask'>,
): Promise<void> {
  if (environment !== 'live' || !isChange(method)) return;
  const key = name ?? publicKey;
  if (live !== true) throw new UsageError(`${key} is live: --live permits ${method} ${path}. Nothing was sent.`);
  if (!spending.test(path) || yes === true) return;
  const typed = await output.ask(`${method} ${path} sends real money by ${key}. Type ${key} to go on: `);
  if (typed === undefined) throw new UsageError('without a terminal to confirm on, --yes is needed. Nothing was sent.');
  if (typed !== key) throw new UsageError('not confirmed: nothing was sent');
}

export function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}
