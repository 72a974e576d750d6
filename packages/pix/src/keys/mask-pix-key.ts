import { maskDocument } from '#src/documents/document.ts';
import type { PixKeyType } from '#src/keys/pix-key.ts';

/**
 * A key as logs may hold it: enough to recognise, not enough to pay or to call. Made for values that were never checked
 * too: what does not look like a key of its type is hidden whole.
 */
export function maskPixKey(type: PixKeyType, text: string): string {
  switch (type) {
    case 'cpf':
    case 'cnpj':
      return maskDocument(text);
    case 'email': {
      const [, initial, domain] = /^([\w.+-])[^@]*@([\w.-]+)$/.exec(text) ?? [];
      return initial !== undefined && domain !== undefined ? `${initial}***@${domain}` : '***';
    }
    case 'phone':
      return /^\+\d{8,}$/.test(text) ? `${text.slice(0, 3)}******${text.slice(-2)}` : '***';
    case 'random':
      return /^[0-9a-f-]{36}$/i.test(text) ? `${text.slice(0, 4)}****` : '***';
  }
}
