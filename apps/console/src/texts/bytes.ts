const units = [
  ['megabyte', 1_000_000],
  ['kilobyte', 1_000],
  ['byte', 1],
] as const;

/** `48 kB`: the size of a file in the largest unit of which there is one. */
export function formatBytes(bytes: number, language: string): string {
  const [unit, size] = units.find(([, each]) => bytes >= each) ?? units[2];
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, options).format(bytes / size);
}
