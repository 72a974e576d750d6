import type { DeadLetter } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What has become of a message that no service could handle. */
export const letterToneOf: Readonly<Record<DeadLetter['status'], Tone>> = {
  WAITING: 'bad',
  RETRIED: 'good',
  DISCARDED: 'neutral',
};

/** The content as it is read: JSON with its members below each other, anything else as it is. */
export function readable(content: string): string {
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
}
