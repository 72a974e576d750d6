export function later(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1_000);
}
