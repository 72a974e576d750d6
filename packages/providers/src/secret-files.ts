import { readFileSync } from 'node:fs';
import { z } from 'zod';

const fileBytesMax = 64 * 1024;

/** A value of the configuration that stands in a file: `{ "file": "/run/secrets/efi-client-secret" }`. */
interface FileReference {
  readonly file: string;
}

/** A value that could not be read: where it belongs, and why. */
export interface UnreadSecret {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * The configuration with every `{ "file": … }` replaced by the content of that file, so that the variable itself holds no
 * secret. Text loses the line break at its end; a PKCS #12, which is binary, becomes base64. Files are read once, when the
 * process starts: a new secret takes a restart.
 */
function withSecretFiles(value: unknown): { readonly value: unknown; readonly unread: readonly UnreadSecret[] } {
  const unread: UnreadSecret[] = [];
  const resolve = (part: unknown, path: readonly (string | number)[]): unknown => {
    if (isReference(part)) {
      try {
        return contentOf(part.file, path.at(-1) === 'pkcs12');
      } catch (error) {
        unread.push({ path, message: `the file ${part.file} cannot be read: ${reasonOf(error)}` });
        return part;
      }
    }
    if (Array.isArray(part)) return part.map((item: unknown, at) => resolve(item, [...path, at]));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, item]) => [name, resolve(item, [...path, name])]));
  };
  return { value: resolve(value, []), unread };
}

/** An environment variable that is a list in JSON, with the texts of files in it; empty without the variable. */
export function listVariableSchema(listed: string) {
  return z
    .string()
    .default('[]')
    .transform((text, context): unknown => {
      let json: unknown;
      try {
        json = JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: `must be JSON: a list of ${listed}` });
        return z.NEVER;
      }
      const { value, unread } = withSecretFiles(json);
      for (const { path, message } of unread) context.addIssue({ code: 'custom', path: [...path], message });
      return unread.length > 0 ? z.NEVER : value;
    });
}

function isReference(part: unknown): part is FileReference {
  if (typeof part !== 'object' || part === null) return false;
  const entries = Object.entries(part);
  return entries.length === 1 && entries[0]?.[0] === 'file' && typeof entries[0][1] === 'string';
}

function contentOf(file: string, isBinary: boolean): string {
  const content = readFileSync(file);
  if (content.length === 0) throw new Error('it is empty');
  if (content.length > fileBytesMax) throw new Error(`it has more than ${fileBytesMax} bytes`);
  return isBinary ? content.toString('base64') : content.toString('utf8').replace(/\r?\n$/, '');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return code ?? error.message;
}
