/** No event of the gateway is larger. */
export const bodyBytesMax = 1_048_576;

/** What of a `ReadableStream` is used. */
export interface BodyStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}

/** The pieces of a body as they come. Who leaves early ends the reading. */
export async function* piecesOf(stream: BodyStream): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) return;
      yield value;
    }
  } finally {
    // It is not waited for: of a body that has ended, or was lost, there is nothing to end.
    reader.cancel().catch(() => undefined);
  }
}

/** What came; of what is too large, no more than shows it. */
export async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    read.push(piece);
    size += piece.length;
    if (size > bodyBytesMax) break;
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of read) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
