import type { Readable } from 'node:stream';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import { refusedFile } from '#src/files/refused-file.ts';
import { FairSlots } from '#src/limits/fair-slots.ts';

const fileBytesMax = 5 * 1_024 * 1_024;
/** What a form has around its file. */
const formBytesMax = 8 * 1_024;
export const uploadBytesMax = fileBytesMax + formBytesMax;
const nameCharactersMax = 120;
/** Files that a process holds in memory at once, of all accounts together. */
const uploads = new FairSlots(() => 8);

export interface ReceivedFile {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Reads the one file of a form, `file`, into memory.
 *
 * @param holder whose file it is: one account does not take all the room
 * @throws ValidationError naming what is missing or too much; DomainError PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE
 */
export async function receiveFile(
  form: Readable | undefined,
  { contentType, holder }: { readonly contentType: string | undefined; readonly holder: string },
): Promise<ReceivedFile> {
  if (!form || contentType === undefined) throw refusedFile('is required');
  const giveBack = uploads.take(holder);
  try {
    return await readForm(form, contentType);
  } finally {
    giveBack();
  }
}

async function readForm(form: Readable, contentType: string): Promise<ReceivedFile> {
  const body = await bounded(form);
  if (countOf(body, boundaryIn(contentType)) > boundariesMax) throw refusedFile('must be the only member of the form');
  const members = [...(await parsed(body, contentType))];
  const strange = members.find(([name]) => name !== 'file');
  if (strange) throw notAMember(strange[0]);
  const [[, file] = [], ...others] = members;
  if (others.length > 0) throw refusedFile('must be one file');
  if (file === undefined || typeof file === 'string' || file.size === 0) throw refusedFile('is required');
  if (file.size > fileBytesMax) throw tooLarge();
  return { name: shownName(file.name), content: Buffer.from(await file.arrayBuffer()) };
}

/** Read before it is looked into. The connection is left as it is: the refusal still has to be sent on it. */
async function bounded(form: Readable): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of form.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > uploadBytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** By the parser of the platform (WHATWG Fetch, "multipart/form-data parser"). */
async function parsed(body: Buffer<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- for bodies without a bound; this one was read within it
    return await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new ValidationError([{ path: 'body', message: 'is not a form with one file (RFC 7578)' }]);
  }
}

/** A form with one member has its boundary twice; thousands of members would be made before they are counted. */
const boundariesMax = 5;

function boundaryIn(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  return `--${quoted ?? plain ?? ''}`;
}

function countOf(body: Buffer, text: string): number {
  let count = 0;
  for (let at = body.indexOf(text); at !== -1 && count <= boundariesMax; at = body.indexOf(text, at + 1)) count += 1;
  return count;
}

function tooLarge(): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', 'the file has more than 5 MiB');
}

function notAMember(name: string): ValidationError {
  return new ValidationError([{ path: name.slice(0, 64) || 'body', message: 'is not a member of this operation' }]);
}

/** Without folders and what is not seen: the name is for people alone. */
function shownName(filename: string): string {
  const last = filename.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const seen = last.replaceAll(/[\p{C}"<>|:*?]/gu, '').trim();
  return Array.from(seen).slice(0, nameCharactersMax).join('') || 'file';
}
