import { z } from 'zod';

/**
 * The two isolated universes of spec 5.3. They share code, never rows, shards or limits:
 * the environment is the first column of every primary key, part of every other, and the first word of every lookup.
 */
export const environmentSchema = z.enum(['live', 'test']).meta({
  id: 'Environment',
  description: '`live`: real money. `test`: simulated payments, isolated from live ones.',
});
export type Environment = z.infer<typeof environmentSchema>;

/** The interface contract a caller or endpoint speaks (spec 9). */
export const apiVersionSchema = z.enum(['0.1', '1.0']).meta({
  id: 'ApiVersion',
  description: 'A contract of the interface; 1.0 is a beta.',
});
export type ApiVersion = z.infer<typeof apiVersionSchema>;
