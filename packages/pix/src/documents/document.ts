import { isCnpj } from '#src/documents/cnpj.ts';
import { isCpf } from '#src/documents/cpf.ts';

export type DocumentKind = 'cpf' | 'cnpj';

export type DocumentResult =
  | { readonly ok: true; readonly kind: DocumentKind; readonly value: string }
  | { readonly ok: false; readonly reason: 'MALFORMED' | 'CHECK_DIGITS' };

/**
 * Reads a CPF or a CNPJ, numeric or alphanumeric, with or without its punctuation.
 * The value comes back without punctuation and in upper case, the form it is stored and shown in.
 */
export function parseDocument(text: string): DocumentResult {
  // Only ASCII is put in upper case: `ı` and `ſ` would become I and S, and a foreign character a valid document.
  if (!/^[\x20-\x7e]+$/.test(text)) return { ok: false, reason: 'MALFORMED' };
  const value = text.trim().replace(/[./-]/g, '').toUpperCase();
  if (/^\d{11}$/.test(value)) return isCpf(value) ? { ok: true, kind: 'cpf', value } : misfit;
  if (/^[0-9A-Z]{12}\d{2}$/.test(value)) return isCnpj(value) ? { ok: true, kind: 'cnpj', value } : misfit;
  return { ok: false, reason: 'MALFORMED' };
}

const misfit: DocumentResult = { ok: false, reason: 'CHECK_DIGITS' };

/**
 * A document as people other than its holder may see it: `***.982.247-**` for a CPF, as the Pix arrangement shows it to
 * the payer, and `**.222.333/0001-**` for a CNPJ. What is masked already stays as it is; anything else is hidden whole.
 */
export function maskDocument(text: string): string {
  if (/^\*{3}\.\d{3}\.\d{3}-\*{2}$/.test(text) || /^\*{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\*{2}$/.test(text)) {
    return text;
  }
  const value = text.replace(/[./-]/g, '');
  if (/^\d{11}$/.test(value)) return `***.${value.slice(3, 6)}.${value.slice(6, 9)}-**`;
  if (/^[0-9A-Z]{12}\d{2}$/.test(value)) {
    return `**.${value.slice(2, 5)}.${value.slice(5, 8)}/${value.slice(8, 12)}-**`;
  }
  return '*'.repeat(Math.min(text.length, 14));
}
