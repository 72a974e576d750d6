/** The body of a call that is no JSON: the same bytes in every attempt. */
export interface Form {
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A form with one file (RFC 7578). What of its name cannot stand in a header is left out. */
export function formOf(name: string, content: Uint8Array): Form {
  const boundary = `gateway-${crypto.randomUUID()}`;
  const shown = name.replaceAll(/["\\\p{Cc}]/gu, '');
  const before = new TextEncoder().encode(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${shown}"\r\n` +
      'content-type: application/octet-stream\r\n\r\n',
  );
  const after = new TextEncoder().encode(`\r\n--${boundary}--\r\n`);
  const bytes = new Uint8Array(before.length + content.length + after.length);
  bytes.set(before, 0);
  bytes.set(content, before.length);
  bytes.set(after, before.length + content.length);
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes };
}
