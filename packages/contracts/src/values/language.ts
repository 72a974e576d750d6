/** Languages of messages that people read: of Brazil, of Mexico, and for everybody else. */
export const messageLanguages = ['pt', 'es', 'en'] as const;
export type MessageLanguage = (typeof messageLanguages)[number];
