/** A start that cannot go on, said in one line for the person at the terminal: what is wrong and what to do about it. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
