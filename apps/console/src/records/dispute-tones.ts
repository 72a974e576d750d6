import type { Tone } from '#src/look/status.tsx';

/** What a dispute's state means for its reader. */
export const disputeToneOf = {
  OPEN: 'wait',
  UNDER_ANALYSIS: 'wait',
  WON: 'good',
  LOST: 'bad',
} as const satisfies Readonly<Record<string, Tone>>;

/** What has become of a file of evidence. */
export const fileToneOf = {
  WAITING: 'wait',
  SENT: 'good',
  REFUSED: 'bad',
  KEPT: 'neutral',
} as const satisfies Readonly<Record<string, Tone>>;

/** What has become of a piece of evidence. */
export const evidenceToneOf = {
  WAITING: 'wait',
  SENT: 'good',
  ACCEPTED: 'good',
  REFUSED: 'bad',
} as const satisfies Readonly<Record<string, Tone>>;
