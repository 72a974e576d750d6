const keptBytesMax = 16_384;

/** The beginning of a response's body, for the log. */
export class ResponseBody {
  readonly #chunks: Buffer[] = [];
  #keptBytes = 0;
  #receivedBytes = 0;

  /** Bytes that came so far, kept or not. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  add(chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    const kept = chunk.subarray(0, keptBytesMax - this.#keptBytes);
    if (kept.length === 0) return;
    // A copy: the chunk is a window into a larger buffer that would be kept alive.
    this.#chunks.push(Buffer.from(kept));
    this.#keptBytes += kept.length;
  }

  /** As text where it is text PostgreSQL can hold, else in base64. */
  read(complete: boolean): { body: string; bodyBase64: boolean; truncated: boolean } {
    const bytes = Buffer.concat(this.#chunks);
    const truncated = !complete || this.#receivedBytes > this.#keptBytes;
    const text = utf8(bytes, truncated);
    if (text === undefined) return { body: bytes.toString('base64'), bodyBase64: true, truncated };
    return { body: text, bodyBase64: false, truncated };
  }
}

/** Undefined when the bytes are not UTF-8 or hold a NUL; a character cut in two at the end is left out. */
function utf8(bytes: Buffer, truncated: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: truncated });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
