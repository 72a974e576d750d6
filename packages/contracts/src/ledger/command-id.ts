import { z } from 'zod';

/**
 * Identifies one intent of a sender forever: `<kind>:<record id>[:<part>]`, derived from the record, so that a
 * sender that asks again asks the same thing.
 */
export const commandIdSchema = z.string().regex(/^[a-z-]{3,30}:[A-Za-z0-9_:.-]{1,90}$/);

/** A line of a provider's statement, as the id of the command names it that books it. */
export const statementLineIdSchema = z.string().regex(/^[A-Za-z0-9_:.-]{1,77}$/);

/** What the statement will say of a transfer of our own: an id of it, or a word of its text. */
export const ownTransferReferenceSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_:./-]{5,76}$/);
