/** Where progress lines go. One call is one line. */
export type Progress = (line: string) => void;

export function progressUnless(quiet: boolean | undefined): Progress {
  if (quiet === true) return () => undefined;
  return (line) => {
    process.stdout.write(`${line}\n`);
  };
}
