import { createHash } from 'node:crypto';
import { shapeOf } from '#src/http/body-shape.ts';

/** Longer text is no name, code or sentence of a protocol. */
const textBytesMax = 4_096;
/** Deeper values are no message of a protocol, and recursion over them ends in a full stack. */
const depthMax = 32;

/**
 * Why a provider's item must not go further: text that PostgreSQL refuses (NUL), that is no Unicode (half a surrogate
 * pair) or too long, or a value that is nested too deeply. Null for everything that can be kept.
 */
export function hostileIn(item: unknown): string | null {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: item, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') {
      const hostile = hostileText(value);
      if (hostile) return hostile;
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= depthMax) return `it is nested more than ${depthMax} levels deep`;
      for (const [key, member] of Object.entries(value)) {
        const hostile = hostileText(key);
        if (hostile) return hostile;
        waiting.push({ value: member, depth: depth + 1 });
      }
    }
  }
  return null;
}

function hostileText(text: string): string | null {
  if (text.includes('\0')) return 'a text has a NUL';
  if (!text.isWellFormed()) return 'a text is not well-formed Unicode';
  return Buffer.byteLength(text) > textBytesMax ? `a text is longer than ${textBytesMax} bytes` : null;
}

/** Names a value by its content; one that is nested too deeply to be written by its shape. */
export function digestOf(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify([value]);
  } catch {
    text = shapeOf(value);
  }
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
