import { isIP } from 'node:net';
import { ValidationError } from '@gateway/contracts';
import { ResolveError, type GuardedResolver } from '#src/http/guarded-resolver.ts';
import { hostOf, parseTarget, TargetError, type TargetRules } from '#src/http/target-url.ts';

export interface TargetGuard {
  readonly rules: TargetRules;
  readonly resolver: GuardedResolver;
}

/**
 * Refuses a URL that may not be called, also for what its name resolves to now. A name that does not resolve is
 * accepted: it may not be set up yet, and every connection looks again.
 *
 * @throws ValidationError naming `member`
 */
export async function checkTarget(text: string, { rules, resolver }: TargetGuard, member = 'url'): Promise<void> {
  try {
    const host = hostOf(parseTarget(text, rules));
    if (isIP(host) === 0) await resolver.resolve(host);
  } catch (error) {
    if (error instanceof TargetError) throw new ValidationError([{ path: member, message: error.reason }]);
    if (!(error instanceof ResolveError)) throw error;
    if (error.failure !== 'ssrf_blocked') return;
    throw new ValidationError([{ path: member, message: 'must not resolve to a private or special address' }]);
  }
}
