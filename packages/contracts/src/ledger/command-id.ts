import { z } from 'zod';

/**
 * Identifies one intent of a sender forever: `<kind>:<record id>[:<part>]`, derived from the record, so that a
 * sender that asks again asks the same thing.
 */
export const commandIdSchema = z.string().regex(/^[a-z-]{3,30}:[A-Za-z0-9_:.-]{1,90}$/);
