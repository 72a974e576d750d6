import { z } from 'zod';
import { apiVersionSchema } from '#src/values/environment.ts';
import { messageLanguageSchema } from '#src/values/language.ts';

/** How records are shown: in a contract of the interface, their texts for people in a language. */
export const shownIn = { apiVersion: apiVersionSchema, language: messageLanguageSchema.optional() };

/**
 * A page of a list as merchants are answered it. The owner of the records writes it, once; who asks for it passes the
 * bytes on and reads none of them, so whatever the interface gains is a matter of the owner's version alone.
 */
export const shownPageSchema = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  next_cursor: z.string().nullable(),
});
export type ShownPage = z.infer<typeof shownPageSchema>;
