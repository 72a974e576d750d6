/** A start that cannot go on; its message is one line for the person at the terminal: what is wrong and what to do about it. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Where progress lines go. One call is one line. */
export type Progress = (line: string) => void;

export function progressUnless(quiet: boolean | undefined): Progress {
  if (quiet === true) return () => undefined;
  return (line) => {
    process.stdout.write(`${line}\n`);
  };
}
