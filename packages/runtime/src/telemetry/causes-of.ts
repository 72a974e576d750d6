/** An error and what caused it, from the outside in: libraries wrap what they pass on. */
export function* causesOf(error: unknown): Generator<Error & { readonly code?: unknown }> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}
