import { hash } from 'node:crypto';
import { encode } from 'fast-png';
import type { FileResource } from '@gateway/public-api';
import type { Shown } from './start-gateway.ts';

/** A stored file, or a refusal. */
export type FileAnswer = FileResource & Pick<Shown, 'error'>;

/** A picture of one pixel, unless its header says something else. */
export function pngOf({ width = 1, height = 1 } = {}): Buffer {
  const file = Buffer.from(encode({ width: 1, height: 1, data: new Uint8Array([7]), channels: 1 }));
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  return file;
}

/** As much of a document as a reader needs to begin. */
export function pdfOf(content = '<< /Type /Catalog >>'): Buffer {
  return Buffer.from(`%PDF-1.7\n1 0 obj\n${content}\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n`, 'latin1');
}

/** The segments of a picture with a frame of that size, and the data of a scan. */
export function jpegOf({ width = 640, height = 480, scan = 'aa00ff00bb' } = {}): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  const frame = `ffc0000b08${size.toString('hex')}01011100`;
  return Buffer.from(`ffd8ffe000104a46494600010100000100010000${frame}ffda0008010100003f00${scan}ffd9`, 'hex');
}

export const sha256Of = (content: Buffer): string => hash('sha256', content);

/** Sends a form; its members are files where they have a name of their own. */
export async function sendForm(
  url: string,
  headers: Readonly<Record<string, string>>,
  members: Readonly<Record<string, { readonly content: Buffer; readonly name?: string } | string>>,
): Promise<{ readonly status: number; readonly body: FileAnswer }> {
  const form = new FormData();
  for (const [member, value] of Object.entries(members)) {
    if (typeof value === 'string') form.append(member, value);
    else form.append(member, new Blob([new Uint8Array(value.content)]), value.name ?? 'receipt');
  }
  const response = await fetch(url, { method: 'POST', headers: { ...headers }, body: form });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text === '' ? '{}' : text) as FileAnswer };
}
