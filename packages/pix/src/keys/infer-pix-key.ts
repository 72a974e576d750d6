import { parseDocument } from '#src/documents/document.ts';
import { parsePixKey, type PixKeyResult } from '#src/keys/pix-key.ts';

// A Brazilian mobile: area code, 9, eight digits; with or without the country code.
const mobilePattern = /^(?:55)?[1-9]\d9\d{8}$/;

/**
 * Reads a key whose sender did not say its type. Order: UUID, e-mail (`@`), international phone (`+`, parenthesis),
 * CNPJ, CPF, Brazilian mobile. Eleven digits that are both a CPF and a mobile number are a CPF: in DICT's own form a
 * phone starts with `+`, a CPF does not.
 */
export function inferPixKey(text: string): PixKeyResult {
  const trimmed = text.trim();
  const random = parsePixKey('random', trimmed);
  if (random.ok) return random;
  if (trimmed.includes('@')) return parsePixKey('email', trimmed);
  if (/^[+(]/.test(trimmed)) return parsePixKey('phone', trimmed);
  const document = parseDocument(trimmed);
  if (document.ok) return { ok: true, type: document.kind, value: document.value };
  if (mobilePattern.test(trimmed.replace(/[ ().-]/g, ''))) return parsePixKey('phone', trimmed);
  return document;
}
