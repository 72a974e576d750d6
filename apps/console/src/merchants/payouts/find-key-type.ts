import type { PayoutKeyType } from '#src/generated/merchants/types.gen.ts';

const random = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const weightMax = 11;

/**
 * Which kind of Pix key a text is, as the server checks it then; undefined for one that may be several. Eleven digits are a
 * CPF where their check digits fit, and a telephone number otherwise.
 */
export function findKeyType(text: string): PayoutKeyType | undefined {
  const key = text.trim();
  if (key.includes('@')) return 'email';
  if (random.test(key)) return 'random';
  if (/[^\d+().\-/\s]/.test(key)) return undefined;
  if (key.startsWith('+') || key.startsWith('(')) return 'phone';
  const digits = key.replace(/\D/g, '');
  if (digits.length === 14) return 'cnpj';
  if (digits.length !== 11) return undefined;
  return isCpf(digits) ? 'cpf' : 'phone';
}

/** Whether the two last digits are those of the nine before (Receita Federal). */
function isCpf(digits: string): boolean {
  if (new Set(digits).size === 1) return false;
  return [9, 10].every((length) => digits[length] === String(checkDigit(digits.slice(0, length))));
}

function checkDigit(digits: string): number {
  const sum = Array.from(digits).reduce((total, digit, at) => total + Number(digit) * (digits.length + 1 - at), 0);
  const rest = (sum * 10) % weightMax;
  return rest === 10 ? 0 : rest;
}
