/** Unix seconds, as contracts have times. */
export function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}

export function unixSecondsOrNull(date: Date | null): number | null {
  return date === null ? null : unixSeconds(date);
}

export function later(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1_000);
}
