import { UsageError } from '../faults/errors.ts';
import type { Headers } from './diagnosis.ts';

/**
 * Headers of a file: lines `Name: value`, as servers log them, or a JSON object.
 *
 * @throws UsageError when there is none
 */
export function headersOf(text: string): Headers {
  const headers = text.trimStart().startsWith('{') ? ofJson(text) : ofLines(text);
  if (Object.keys(headers).length === 0) throw new UsageError('the file has no headers: lines `Name: value`, or JSON');
  return headers;
}

function ofLines(text: string): Headers {
  const lines = text.split(/\r?\n/).map((line) => /^([A-Za-z0-9-]+):\s*(.*?)\s*$/.exec(line));
  return Object.fromEntries(
    lines.flatMap((found) => (found === null ? [] : [[(found[1] ?? '').toLowerCase(), found[2] ?? '']])),
  );
}

function ofJson(text: string): Headers {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
  } catch {
    throw new UsageError('the headers are no JSON');
  }
}
