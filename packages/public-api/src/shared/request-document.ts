import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import { parseDocument } from '@gateway/pix';

/** A CPF or CNPJ with or without punctuation; the parsed value has none (api.md 1). */
export const documentSchema = z.string().transform((text, context) => {
  const document = parseDocument(text);
  if (document.ok) return document.value;
  context.addIssue({ code: 'custom', message: 'must be a valid CPF or CNPJ' });
  return z.NEVER;
});

/** A document that is looked for: a CPF or CNPJ with or without punctuation, or one of another country as it is written. */
export const documentQuerySchema = requestText(1, 20).transform((text) => {
  const document = parseDocument(text);
  return document.ok ? document.value : text;
});
