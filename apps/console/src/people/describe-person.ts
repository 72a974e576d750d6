import type { Operator, ServiceToken } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** In the order of what they may. */
export const roles: readonly Operator['roles'][number][] = ['support', 'duty', 'treasurer', 'admin', 'auditor'];

/** What a program can be allowed, those that read first. */
export const scopes: readonly ServiceToken['scopes'][number][] = [
  ...(['records:read', 'balances:read', 'webhooks:read', 'operations:read', 'accounts:read'] as const),
  ...(['audit:read', 'people:read', 'exports:create'] as const),
  ...(['webhooks:write', 'operations:write', 'money:propose', 'accounts:propose'] as const),
];

/** Whether a token still opens anything at this moment. */
export function tokenStateOf(token: ServiceToken, nowSec: number): 'active' | 'revoked' | 'ended' {
  if (token.revoked_at !== null) return 'revoked';
  return token.ends_at <= nowSec ? 'ended' : 'active';
}

export const tokenToneOf: Readonly<Record<ReturnType<typeof tokenStateOf>, Tone>> = {
  active: 'good',
  revoked: 'neutral',
  ended: 'neutral',
};
