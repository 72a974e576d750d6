import type { Tone } from '#src/look/status.tsx';

/** How a request was answered, in the logs of both consoles. */
interface Answered {
  readonly status: number;
  readonly code: string | null;
}

/** What a log of requests can be narrowed to, by the first digit of the status. */
export const statusClasses = ['2xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];

/** What an answer means for the one who asked: done, refused, or nothing known of it. */
export function toneOf({ status }: Pick<Answered, 'status'>): Tone {
  if (status < 400) return 'good';
  return status === 429 || status >= 500 ? 'wait' : 'bad';
}

/** The status, and the code where it was refused. */
export function wordOf({ status, code }: Answered): string {
  return code === null ? String(status) : `${status} ${code}`;
}
