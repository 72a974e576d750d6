import { z } from 'zod';

/** Languages of messages that people read: of Brazil, of Mexico, and for everybody else. */
export const messageLanguages = ['pt', 'es', 'en'] as const;
export const messageLanguageSchema = z.enum(messageLanguages);
export type MessageLanguage = z.infer<typeof messageLanguageSchema>;
