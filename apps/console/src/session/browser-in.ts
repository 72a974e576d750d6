/** The browser as its user agent names it: `Chrome on Linux`; what it names otherwise is left as it is. */
export function browserIn(agent: string): string {
  const [, browser] = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent) ?? [];
  const [, system] = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent) ?? [];
  return [browser, system].filter(Boolean).join(' · ') || agent;
}
