import type { LedgerWriter, MessageLag } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** Whether the balances of an environment are written: nothing that moves money is decided while they are not. */
export function writerState({ writer, since }: Pick<LedgerWriter, 'writer' | 'since'>): {
  readonly tone: Tone;
  readonly word: 'writes' | 'starts' | 'none';
} {
  if (writer === null) return { tone: 'bad', word: 'none' };
  return since === null ? { tone: 'wait', word: 'starts' } : { tone: 'good', word: 'writes' };
}

/** The consumers of a service that are behind, or of which it is not known. */
export function behindOf({ consumers }: Pick<MessageLag, 'consumers'>): MessageLag['consumers'] {
  return consumers.filter(({ waiting }) => waiting !== 0);
}
