import { rails } from '@gateway/money';
import { parseDocument } from '#src/documents/document.ts';

export const pixKeyTypes = rails.PIX.payoutKeyTypes;
export type PixKeyType = (typeof pixKeyTypes)[number];

/** Rails have key types of their own; only these name a PIX key. */
export function isPixKeyType(type: string): type is PixKeyType {
  return (pixKeyTypes as readonly string[]).includes(type);
}

export type PixKeyRefusal = 'MALFORMED' | 'CHECK_DIGITS' | 'TOO_LONG';

/** A key in the form DICT keeps it, or the reason why the text is none. */
export type PixKeyResult =
  | { readonly ok: true; readonly type: PixKeyType; readonly value: string }
  | { readonly ok: false; readonly reason: PixKeyRefusal };

/** Longest e-mail DICT registers (DICT API 1.8.0, `Key`). */
const emailKeyMaxCharacters = 77;

// DICT API 1.8.0, schema `Key`, EMAIL.
const emailPattern =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
// DICT API 1.8.0, schema `Key`, PHONE.
const dictPhonePattern = /^\+[1-9][0-9]\d{1,14}$/;
// The version is not looked at: the example in the Banco Central's own manual is a version 1 UUID.
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Checks a PIX key against its declared type and returns it in DICT's form: documents without punctuation, e-mails and
 * UUIDs in lower case, phones in E.164 (`(11) 98765-4321` and `5511987654321` become `+5511987654321`).
 * That the key exists, and whose it is, only DICT knows.
 */
export function parsePixKey(type: PixKeyType, text: string): PixKeyResult {
  // Non-ASCII is refused before any change of case, which would turn the Kelvin sign into a k.
  if (!/^[\x20-\x7e]+$/.test(text)) return { ok: false, reason: 'MALFORMED' };
  const trimmed = text.trim();
  switch (type) {
    case 'cpf':
    case 'cnpj':
      return parseDocumentKey(type, trimmed);
    case 'email':
      return parseEmailKey(trimmed.toLowerCase());
    case 'phone':
      return parsePhoneKey(trimmed);
    case 'random':
      return accept('random', trimmed.toLowerCase(), uuidPattern);
  }
}

function accept(type: PixKeyType, value: string, pattern: RegExp): PixKeyResult {
  return pattern.test(value) ? { ok: true, type, value } : { ok: false, reason: 'MALFORMED' };
}

function parseDocumentKey(type: 'cpf' | 'cnpj', text: string): PixKeyResult {
  const document = parseDocument(text);
  if (!document.ok) return document;
  return document.kind === type ? { ok: true, type, value: document.value } : { ok: false, reason: 'MALFORMED' };
}

function parseEmailKey(value: string): PixKeyResult {
  if (value.length > emailKeyMaxCharacters) return { ok: false, reason: 'TOO_LONG' };
  return accept('email', value, emailPattern);
}

/**
 * Area codes are not looked at (DICT's documentation uses one that does not exist); a Brazilian number has an area code
 * and eight or nine digits. Ten or eleven digits without country code are read as Brazilian.
 */
function parsePhoneKey(text: string): PixKeyResult {
  const compact = text.replace(/[ ().-]/g, '');
  if (compact.startsWith('+55')) return accept('phone', compact, /^\+55[1-9]\d{9,10}$/);
  if (compact.startsWith('+')) return accept('phone', compact, dictPhonePattern);
  if (/^[1-9]\d{9,10}$/.test(compact)) return { ok: true, type: 'phone', value: `+55${compact}` };
  return accept('phone', `+${compact}`, /^\+55[1-9]\d{9,10}$/);
}
