import type { NotSent } from '#src/outcomes.ts';

/** A value for the header `Authorization`, or why there is none. Without one nothing is sent. */
export type AuthorizationResult = { readonly kind: 'header'; readonly value: string } | NotSent;

export interface Authorization {
  header(signal: AbortSignal): Promise<AuthorizationResult>;
  /** The provider refused this value. Answers whether asking for another one makes sense. */
  refused(value: string): boolean;
}

/** A key that never changes. */
export function fixedAuthorization(value: string): Authorization {
  return { header: async () => ({ kind: 'header', value }), refused: () => false };
}
