import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createTestDatabase, eventually, freePort, programEnvironment, testNatsUrl } from '@gateway/test-kit';

const script = join(import.meta.dirname, 'fixtures/small-service.ts');
const children: ChildProcess[] = [];

interface SmallService {
  readonly child: ChildProcess;
  readonly status: (path: string) => Promise<number>;
  readonly log: () => string;
}

async function startSmallService(env: Record<string, string>): Promise<SmallService> {
  const port = await freePort();
  const child = spawn(process.execPath, [script], {
    env: { ...programEnvironment(), INTERNAL_PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  return { child, status, log: () => output };
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    await ended(child);
  }
});

describe('a service process', () => {
  test('waits for an unreachable database, saying so, healthy but not ready, and ends when told', async () => {
    const nowhere = `postgres://nobody:wrong@127.0.0.1:${await freePort()}/none`;
    const service = await startSmallService({ DATABASE_URL: nowhere, NATS_URL: testNatsUrl() });
    await eventually(async () => expect(await service.status('/health')).toBe(200));
    await eventually(() => expect(service.log()).toContain('PostgreSQL cannot be reached, trying again'));
    expect(await service.status('/ready')).toBe(503);
    expect(service.log()).not.toContain('wrong');
    service.child.kill('SIGTERM');
    expect(await ended(service.child)).toBe(0);
  });

  test('becomes ready once its dependencies answer', async () => {
    await using schema = await createTestDatabase('small', { migrations: [] });
    const service = await startSmallService({ DATABASE_URL: schema.url, NATS_URL: testNatsUrl() });
    await eventually(async () => expect(await service.status('/ready')).toBe(200));
    service.child.kill('SIGINT');
    expect(await ended(service.child)).toBe(0);
  });

  test('names every problem of its configuration at once, no values, and ends with 1', async () => {
    const service = await startSmallService({ DATABASE_URL: 'secret-but-no-url' });
    expect(await ended(service.child)).toBe(1);
    expect(service.log()).toMatch(/DATABASE_URL/);
    expect(service.log()).toMatch(/NATS_URL/);
    expect(service.log()).not.toContain('secret-but-no-url');
  });
});
