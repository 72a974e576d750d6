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

/** What names a browser in its user agent; a browser that is built on another one names that one too, and comes first. */
const browsers = [
  ['Edge', /\bEdg\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\bFirefox\/(\d+)/],
  ['Chrome', /\b(?:Headless)?Chrome\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[^ ]* .*\bSafari\//],
] as const;
const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['macOS', /\bMac OS X\b/],
  ['Windows', /\bWindows\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** `Chrome 156, Linux`: what a person recognises in a user agent; one of no known browser as it is. */
export function browserOf(agent: string): string {
  const browser = browsers.flatMap(([name, pattern]) => {
    const [, version] = pattern.exec(agent) ?? [];
    return version === undefined ? [] : [`${name} ${version}`];
  })[0];
  if (browser === undefined) return agent;
  const system = systems.find(([, pattern]) => pattern.test(agent));
  return system ? `${browser}, ${system[0]}` : browser;
}
