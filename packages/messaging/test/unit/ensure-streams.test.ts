import { JetStreamApiError } from '@nats-io/jetstream';
import { expect, test } from 'vitest';
import { streams } from '@gateway/contracts/broker';
import { silentLogger } from '@gateway/test-kit';
import type { Bus } from '#src/bus/bus.ts';
import { ensureStreams } from '#src/bus/streams.ts';

const refusal = (code: number) => new JetStreamApiError({ code, err_code: 10_000 + code, description: 'refused' });

/** A broker without streams, which answers like this to the calls that make one. */
function brokerThat(...answers: readonly (Error | null)[]) {
  const calls: string[] = [];
  const add = async ({ name }: { readonly name: string }) => {
    const answer = answers[calls.push(name) - 1];
    if (answer) throw answer;
  };
  const info = async () => await Promise.reject(refusal(404));
  const bus = { manager: { streams: { info, add } }, streamReplicas: 1, onReconnect: () => undefined };
  return {
    calls,
    ensured: async () => await ensureStreams(bus as unknown as Bus, [streams.payoutsEvents], silentLogger),
  };
}

test('a stream that the broker cannot make at the moment is made a moment later', async () => {
  const { calls, ensured } = brokerThat(refusal(500), null);
  await ensured();
  expect(calls).toHaveLength(2);
});

test('one that the broker refuses is not asked for again, and one that it never makes not for ever', async () => {
  const refused = brokerThat(refusal(400));
  await expect(refused.ensured()).rejects.toMatchObject({ status: 400 });
  expect(refused.calls).toHaveLength(1);
  const broken = brokerThat(...Array.from({ length: 9 }, () => refusal(500)));
  await expect(broken.ensured()).rejects.toMatchObject({ status: 500 });
  expect(broken.calls).toHaveLength(5);
});
