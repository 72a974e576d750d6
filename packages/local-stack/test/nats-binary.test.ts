import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { natsBinary, natsVersion } from '#src/infrastructure/nats-binary.ts';

let directory: string;
const lines: string[] = [];
const limits = { downloadTimeoutMs: 60_000, buildTimeoutMs: 60_000 };
const find = (changes: Partial<typeof limits> = {}) =>
  natsBinary((line) => lines.push(line), [], { ...limits, ...changes });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gateway-nats-binary-'));
  lines.length = 0;
  vi.stubEnv('NATS_SERVER', undefined);
  vi.stubEnv('XDG_CACHE_HOME', join(directory, 'cache'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

/** A program that goes by the name of another, first on PATH. */
function program(name: string, script: string): string {
  const file = join(directory, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  vi.stubEnv('PATH', `${directory}:/usr/bin:/bin`);
  return file;
}

/** A Go that counts its builds, and builds a nats-server of the shipped version. */
function fakeGo(): void {
  const server = `#!/bin/sh\\necho "nats-server: v${natsVersion}"\\n`;
  program(
    'go',
    `[ "$1" = version ] && exit 0
[ "$1" = mod ] && exit 0
echo "$*" >> ${directory}/builds
printf '${server}' > "$GOBIN/nats-server"; chmod 755 "$GOBIN/nats-server"`,
  );
}

test('the broker that NATS_SERVER names is used, whatever its version, and one that does not run is refused', async () => {
  const named = program('other', 'echo "nats-server: v2.10.1"');
  vi.stubEnv('NATS_SERVER', named);
  expect(await find()).toBe(named);
  vi.stubEnv('NATS_SERVER', join(directory, 'nowhere'));
  await expect(find()).rejects.toThrow('nowhere is no nats-server that runs');
});

test('a broker on PATH is used when it is as new as the shipped one ought to be', async () => {
  fakeGo();
  const installed = program('nats-server', 'echo "nats-server: v2.12.0"');
  expect(await find()).toBe(installed);
  expect(lines).toEqual([]);
});

test('where the installed broker is older, the shipped version is built once, outside the clone', async () => {
  fakeGo();
  program('nats-server', 'echo "nats-server: v2.9.10"');
  const [one, other] = await Promise.all([find(), find()]);
  expect(one).toBe(join(directory, `cache/instant-payment-gateway/nats-server-${natsVersion}`));
  expect(other).toBe(one);
  const builds = readFileSync(join(directory, 'builds'), 'utf8');
  expect(builds).toContain(`github.com/nats-io/nats-server/v2@v${natsVersion}`);
  expect(await find()).toBe(one);
  expect(readFileSync(join(directory, 'builds'), 'utf8')).toBe(builds);
});

test('an older broker runs where there is no other, and one line says what it lacks', async () => {
  program('go', 'exit 1');
  const installed = program('nats-server', 'echo "nats-server: v2.9.10"');
  expect(await find()).toBe(installed);
  expect(lines).toEqual([expect.stringMatching(`nats-server 2.9.10 is used, and ${natsVersion} is shipped`)]);
});

test.each([
  ['refuses', 'exit 1'],
  ['never answers', 'exec sleep 600'],
])('where the module proxy %s, the older broker runs, and one line says so', async (_, download) => {
  program('go', `[ "$1" = version ] && exit 0\n[ "$1" = mod ] && ${download}\necho built >> ${directory}/builds`);
  const installed = program('nats-server', 'echo "nats-server: v2.9.10"');
  expect(await find({ downloadTimeoutMs: 500 })).toBe(installed);
  expect(lines).toEqual([
    expect.stringContaining('building'),
    'Go could not download it',
    expect.stringContaining('nats-server 2.9.10 is used'),
  ]);
  expect(existsSync(join(directory, 'builds'))).toBe(false);
});
