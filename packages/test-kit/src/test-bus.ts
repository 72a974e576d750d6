import { connectBus, type Bus } from '@gateway/messaging';
import { SecretBox, createLogger, type Neighbours } from '@gateway/runtime';

/**
 * Where this test worker finds NATS. Workers run side by side, so each has an account of its own on the test server:
 * subjects and streams of one are invisible to the others.
 */
export function testNatsUrl(): string {
  const given = process.env['TEST_NATS_URL'];
  if (!given) throw new Error('TEST_NATS_URL is not set: run the tests with `npm test`');
  const url = new URL(given);
  if (process.env['TEST_NATS_ACCOUNTS'] === 'true') {
    url.username = `worker-${process.env['VITEST_POOL_ID'] ?? '1'}`;
    url.password = 'test';
  }
  return url.href;
}

/** The services of a test are given it too, as BUS_SECRETS_KEY: they and the test exchange secrets. */
export const testBusSecretsKey = Buffer.alloc(32, 11).toString('base64');

export interface TestBusOptions {
  /** The service it belongs to. */
  readonly name?: string;
  /** Who is asked without the broker. */
  readonly neighbours?: Neighbours | undefined;
}

/** A connection to a NATS without streams: those of an earlier file of this worker are removed. */
export async function createTestBus({ name = 'test', neighbours }: TestBusOptions = {}): Promise<Bus> {
  const bus = await connectBus({
    url: testNatsUrl(),
    name,
    neighbours,
    logger: createLogger('test', 'silent'),
    secrets: new SecretBox([Buffer.from(testBusSecretsKey, 'base64')]),
  });
  for (const stream of await bus.manager.streams.list().next()) await bus.manager.streams.delete(stream.config.name);
  return bus;
}
