/** One thing that was tried, and what is missing where it failed. Holds no secret: it is printed. */
export interface CheckStep {
  readonly name: string;
  readonly state: 'ok' | 'failed' | 'skipped';
  readonly detail: string;
}

export function ok(name: string, detail: string): CheckStep {
  return { name, state: 'ok', detail };
}

export function failed(name: string, detail: string): CheckStep {
  return { name, state: 'failed', detail };
}

export function skipped(name: string, detail: string): CheckStep {
  return { name, state: 'skipped', detail };
}
