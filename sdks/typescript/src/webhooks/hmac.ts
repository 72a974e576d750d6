/** What of the platform's `crypto.subtle` is used. */
interface SubtleLike {
  importKey(
    format: 'raw',
    key: Uint8Array,
    algorithm: { readonly name: 'HMAC'; readonly hash: 'SHA-256' },
    extractable: boolean,
    usages: readonly ('sign' | 'verify')[],
  ): Promise<unknown>;
  sign(algorithm: 'HMAC', key: unknown, data: Uint8Array): Promise<ArrayBuffer>;
  verify(algorithm: 'HMAC', key: unknown, signature: Uint8Array, data: Uint8Array): Promise<boolean>;
}

/** HMAC-SHA256 of bytes under a key. */
export async function hmacOf(key: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await subtle().sign('HMAC', await imported(key, 'sign'), data));
}

/** Whether any of the signatures is of these bytes under the key; each is compared, in constant time. */
export async function anyIsOf(key: Uint8Array, signatures: readonly Uint8Array[], data: Uint8Array): Promise<boolean> {
  const verifying = await imported(key, 'verify');
  let holds = false;
  for (const signature of signatures) holds = (await subtle().verify('HMAC', verifying, signature, data)) || holds;
  return holds;
}

function imported(key: Uint8Array, usage: 'sign' | 'verify'): Promise<unknown> {
  return subtle().importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
}

function subtle(): SubtleLike {
  return (globalThis as unknown as { readonly crypto: { readonly subtle: SubtleLike } }).crypto.subtle;
}

const encoder = new TextEncoder();

/** A text as UTF-8. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** What is signed: a text and the bytes of the body behind it. */
export function joined(start: string, body: Uint8Array): Uint8Array {
  const first = utf8(start);
  const data = new Uint8Array(first.length + body.length);
  data.set(first);
  data.set(body, first.length);
  return data;
}
