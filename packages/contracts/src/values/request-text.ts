import { z } from 'zod';

/**
 * Text a caller sends, to be stored and shown as it is. PostgreSQL keeps no NUL, and half a surrogate pair would come
 * back changed.
 */
export function requestText(minCharacters: number, maxCharacters: number) {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be text') })
    .min(minCharacters, { error: tooShort(minCharacters), abort: true })
    .max(maxCharacters, { error: `must be at most ${maxCharacters} characters long`, abort: true })
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be well-formed text without NUL');
}

function tooShort(minCharacters: number): string {
  return minCharacters === 1 ? 'must not be empty' : `must be at least ${minCharacters} characters long`;
}

/** A person's full name (spec 2.2); blanks around it do not count. */
export const personNameSchema = requestText(3, 64).refine((name) => name.trim().length >= 3, tooShort(3));

/** The caller's own reference and idempotency key (api.md 1). */
export const externalIdSchema = requestText(1, 120);

/** With country code (spec 2.2). */
export const phoneSchema = requestText(0, 20);

/** Of the payer of a deposit: unlike a recipient's, a malformed one is refused, so that the caller can correct it. */
export const emailSchema = requestText(1, 255)
  .refine((text) => z.regexes.unicodeEmail.test(text), 'must be an e-mail address')
  .meta({ format: 'email' });

/** Of the recipient of a payout: malformed or too long, it is dropped, never a reason to refuse (spec 2.2). */
export const optionalEmailSchema = emailSchema.nullable().default(null).catch(null);

/** An address that a payer's browser is sent to; without encryption only on the caller's own machine. */
export const returnUrlSchema = requestText(1, 2048).refine(
  isReturnUrl,
  'must be an https address without credentials (http on localhost alone)',
);

function isReturnUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '') return false;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal);
}

const metadataCharactersMax = 500;
/** A double holds every number of so many digits, and is printed with the same digits again. */
const significantDigitsMax = 15;

/** Text, a number, true, false or null: what merchants attach to a record under one key. */
export const metadataValueSchema = z.union([z.string().max(metadataCharactersMax), z.number(), z.boolean(), z.null()]);

const numberRefusal = `must be a safe integer or have at most ${significantDigitsMax} significant digits: send another number as text`;

const requestMetadataValueSchema = z.union(
  [requestText(0, metadataCharactersMax), z.number().refine(comesBackAsSent, numberRefusal), z.boolean(), z.null()],
  { error: ({ input }) => metadataRefusal(input) },
);

/** Free-form pairs, returned as given (api.md 8). */
export const requestMetadataSchema = z
  .record(requestText(1, 40), requestMetadataValueSchema)
  .refine((value) => Object.keys(value).length <= 20, 'must have at most 20 keys');

function comesBackAsSent(number: number): boolean {
  if (Number.isInteger(number)) return Number.isSafeInteger(number);
  const [digits = ''] = String(number).toLowerCase().split('e');
  return digits.replace(/[-.]/g, '').replace(/^0+/, '').length <= significantDigitsMax;
}

function metadataRefusal(input: unknown): string {
  if (typeof input === 'string') {
    return input.length > metadataCharactersMax
      ? `must be at most ${metadataCharactersMax} characters long`
      : 'must be well-formed text without NUL';
  }
  return 'must be text, a number, true, false or null';
}
