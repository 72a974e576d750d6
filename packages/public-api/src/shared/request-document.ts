import { z } from 'zod';
import { parseDocument } from '@gateway/pix';

/** A CPF or CNPJ with or without punctuation; the parsed value has none (api.md 1). */
export const documentSchema = z.string().transform((text, context) => {
  const document = parseDocument(text);
  if (document.ok) return document.value;
  context.addIssue({ code: 'custom', message: 'must be a valid CPF or CNPJ' });
  return z.NEVER;
});
