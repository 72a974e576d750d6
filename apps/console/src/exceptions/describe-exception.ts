import type { Exception, ExceptionDetail, Resolution } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What an exception's state means for its reader. */
export const toneOf: Readonly<Record<Exception['status'], Tone>> = {
  OPEN: 'bad',
  PROPOSED: 'wait',
  RESOLVED: 'good',
  EXPLAINED: 'good',
};

/** What can be proposed by a choice; what takes an amount is proposed by the interface alone. */
export type Explanation = 'match' | 'foreign' | 'own_transfer' | 'provider_fee';

/** Those that fit what is there: only a line that stands alone can be ours, the provider's, or that of another system. */
export function explanationsOf({ lines, sides, candidates }: ExceptionDetail): readonly Explanation[] {
  const isLineAlone = lines.length > 0 && sides.length === 0;
  const ofLine = ['foreign', 'own_transfer', 'provider_fee'] as const;
  return [...(candidates.length > 0 ? (['match'] as const) : []), ...(isLineAlone ? ofLine : [])];
}

/** What is proposed to the server (api.md, operators' exceptions). */
export function resolutionOf(explanation: Explanation, note: string, matchedWith: string | undefined): Resolution {
  switch (explanation) {
    case 'match':
      return { action: 'match', note, with: matchedWith ?? null };
    case 'foreign':
      return { action: 'foreign', note };
    case 'own_transfer':
    case 'provider_fee':
      return { action: 'declare', note, with: explanation };
  }
}

/**
 * The kind of movement that an exception is about, of those that there are words for, and what names it: `own_transfer` and the key
 * of `line:own_transfer:<key>`. Undefined of a subject of another form.
 */
export function aboutOf<Kind extends string>(
  subject: string,
  words: Readonly<Record<Kind, string>>,
): { readonly kind: Kind; readonly key: string } | undefined {
  const [, kind = '', key = ''] = /^(?:line:)?(\w+):(.+)$/s.exec(subject) ?? [];
  return isOf(words, kind) ? { kind, key } : undefined;
}

function isOf<Kind extends string>(words: Readonly<Record<Kind, string>>, kind: string): kind is Kind {
  return Object.hasOwn(words, kind);
}
