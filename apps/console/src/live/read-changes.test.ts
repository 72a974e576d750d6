import { expect, test } from 'vitest';
import { type Change, readChanges } from '#src/live/read-changes.ts';

const bytes = new TextEncoder();

async function changesIn(chunks: readonly string[]): Promise<Change[]> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(stream) {
      for (const chunk of chunks) stream.enqueue(bytes.encode(chunk));
      stream.close();
    },
  });
  return await collect(readChanges(body));
}

async function collect(changes: AsyncIterable<Change>): Promise<Change[]> {
  const collected: Change[] = [];
  for await (const change of changes) collected.push(change);
  return collected;
}

test('changes are read however the stream is cut into pieces, and comments are none', async () => {
  const whole =
    'retry: 3000\n\n: still here\n\nevent: changed\ndata: {"event":"deposit.paid","count":2}\n\n' +
    'event: changed\ndata: {"event":"payout.paid","count":1}\n\n';
  const expected = [
    { event: 'deposit.paid', count: 2 },
    { event: 'payout.paid', count: 1 },
  ];
  expect(await changesIn([whole])).toEqual(expected);
  expect(await changesIn(whole.split(''))).toEqual(expected);
});

test('a frame whose end has not come is no change yet', async () => {
  expect(await changesIn(['event: changed\ndata: {"event":"deposit.paid","count":2}\n'])).toEqual([]);
});

test('a stream that is silent for too long ends with an error, and is read no more', async () => {
  const canceled = Promise.withResolvers<void>();
  const silent = new ReadableStream<Uint8Array>({ cancel: () => canceled.resolve() });
  await expect(collect(readChanges(silent, 5))).rejects.toThrow('silent');
  await canceled.promise;
});
