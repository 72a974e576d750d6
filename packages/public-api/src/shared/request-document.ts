import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import { parseDocument } from '@gateway/pix';

/** A CPF of 11 digits, or a CNPJ of 14 digits or letters, marks apart; two check digits at the end. */
const documentPattern = String.raw`^\s*[0-9A-Za-z./\s-]{11,24}\s*$`;

/** A tax document of any country: which kind it has to be depends on the currency. */
export const requestDocumentText = z.string().meta({ format: 'tax-document', examples: ['529.982.247-25'] });

/** A CPF or CNPJ with or without punctuation; the parsed value has none (api.md 1). */
export const documentSchema = z
  .string()
  .meta({ format: 'br-document', pattern: documentPattern, examples: ['529.982.247-25'] })
  .transform((text, context) => {
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
