/** A moment as the interface writes it: whole seconds since 1970, rounded down. */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

export function unixSecondsOrNull(at: Date | null): number | null {
  return at && unixSeconds(at);
}
