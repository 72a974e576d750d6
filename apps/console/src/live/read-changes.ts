/** That something of this name has happened so many times. */
export interface Change {
  readonly event: string;
  readonly count: number;
}

/** Longer than the gateway is ever silent: it sends a comment every 15 seconds. */
const silenceMaxMs = 40_000;

/** The changes of a stream of server-sent events, until it ends or is silent for too long. */
export async function* readChanges(
  body: ReadableStream<Uint8Array>,
  silenceMs = silenceMaxMs,
): AsyncGenerator<Change, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await before(silenceMs, reader.read());
      if (done) return;
      text += value;
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      yield* frames.flatMap(changeIn);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** A frame is a comment, how long to wait before coming again, or a change. */
function changeIn(frame: string): Change[] {
  const data = frame.split('\n').find((line) => line.startsWith('data: '));
  return data === undefined ? [] : [JSON.parse(data.slice('data: '.length)) as Change];
}

async function before<Value>(ms: number, answer: Promise<Value>): Promise<Value> {
  const silent = Promise.withResolvers<never>();
  const timer = setTimeout(() => silent.reject(new Error('the stream is silent')), ms);
  try {
    return await Promise.race([answer, silent.promise]);
  } finally {
    clearTimeout(timer);
  }
}
