import type { SecretBox } from '@gateway/runtime';

const masked = '***';
/** A body that is not sealed is a JSON object. */
const openingBrace = 0x7b;

/** Seals a body that repeats a secret, so that the database cannot be read for it. */
export function sealBody(body: Buffer, eventId: string, format: string, secretBox: SecretBox): Buffer {
  return Buffer.from(secretBox.seal(body.toString('utf8'), ownerOf(eventId, format)));
}

/** The bytes that are signed and sent. */
export function openBody(stored: Buffer, eventId: string, format: string, secretBox: SecretBox): Buffer {
  if (stored[0] === openingBrace) return stored;
  return Buffer.from(secretBox.open(stored.toString('utf8'), ownerOf(eventId, format)));
}

/** A body as the log shows it: as it is sent, with the paraphrase of the connector masked. */
export function shownBody(stored: Buffer, eventId: string, format: string, secretBox: SecretBox): string {
  const text = openBody(stored, eventId, format, secretBox).toString('utf8');
  if (!format.startsWith('connector-')) return text;
  const body = JSON.parse(text) as { securityParaphrase: string };
  return JSON.stringify({ ...body, securityParaphrase: body.securityParaphrase === '' ? '' : masked });
}

function ownerOf(eventId: string, format: string): string {
  return `body ${eventId} ${format}`;
}
