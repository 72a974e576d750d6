/** Colours of a terminal; each leaves a text as it is where there are none. */
export interface Paint {
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
}

const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

export function paintOf(colours: boolean): Paint {
  const paint = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    red: paint(codes.red),
    green: paint(codes.green),
    yellow: paint(codes.yellow),
    dim: paint(codes.dim),
    bold: paint(codes.bold),
  };
}

/** `--color`, else NO_COLOR (https://no-color.org), else whether a terminal shows it. */
export function hasColours(
  when: string | undefined,
  variables: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (when === 'always' || when === 'never') return when === 'always';
  return isTerminal && (variables['NO_COLOR'] ?? '') === '' && variables['TERM'] !== 'dumb';
}
