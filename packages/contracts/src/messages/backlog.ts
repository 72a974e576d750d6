import { z } from 'zod';

/**
 * Core NATS subject on which the receiver of a queue of commands says that it cannot keep up. A hint that is repeated
 * while it holds: senders turn new work away instead of letting it wait (design.md 3.7).
 */
export function backlogSignal(commandQueue: string): string {
  return `signal.backlog.${commandQueue}.v1`;
}

/** The signals of all queues. */
export const backlogSignals = 'signal.backlog.>';

export const backlogSchema = z.object({
  /** How long a command published now would wait for its answer. */
  waitMs: z.number().nonnegative(),
  /** How long this says anything; it is repeated earlier than that. */
  validForMs: z.number().positive(),
});
export type Backlog = z.infer<typeof backlogSchema>;
