import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { requestHeaders } from '#src/http/headers.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = `${root}examples`;

/** Each program reads a case from its input and says whether it would accept it. */
const programs = {
  node: {
    command: process.execPath,
    text: `import { isFromGateway } from ${JSON.stringify(`${folder}/verify-webhook.mjs`)};
      let input = ''; for await (const chunk of process.stdin) input += chunk;
      const { headers, body, secret, now } = JSON.parse(input);
      console.log(isFromGateway(headers, Buffer.from(body, 'base64'), secret, now * 1000));`,
    args: ['--input-type=module', '-e'],
  },
  python: {
    command: 'python3',
    text: `import sys, json, base64; sys.path.insert(0, ${JSON.stringify(folder)}); sys.dont_write_bytecode = True
from verify_webhook import is_from_gateway
given = json.load(sys.stdin)
print(str(is_from_gateway(given["headers"], base64.b64decode(given["body"]), given["secret"], given["now"])).lower())`,
    args: ['-c'],
  },
} as const;

const now = 1_790_000_000;
const body = Buffer.from('{ "event" : "deposit.paid", "data": {"name":"João"} }\n');
const [current, next] = ['whsec_Y3VycmVudA==', 'whsec_bmV4dA=='];

function sent(timestamp = now): Record<string, string> {
  const request = { eventId: 'evt_1', deliveryId: 'dlv_1', attempt: 1, secret: current, nextSecret: next };
  const headers = requestHeaders({ ...request, timestamp, body });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}

/** Where there is no Python, the one in Node is still run. */
const runnable = Object.entries(programs).filter(
  ([, { command }]) => spawnSync(command, ['--version']).error === undefined,
);

describe.each(runnable)('the example in %s', (_language, { command, args, text }) => {
  const accepts = (headers: Record<string, string>, bytes: Buffer, secret: string) => {
    const input = JSON.stringify({ headers, body: bytes.toString('base64'), secret, now });
    const { stdout, stderr } = spawnSync(command, [...args, text], { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim() === 'true';
  };

  test('accepts what the gateway sends, with either secret of a rotation', () => {
    expect(accepts(sent(), body, current)).toBe(true);
    expect(accepts(sent(), body, next)).toBe(true);
  });

  test('refuses another body, another secret, an old or missing timestamp, and a missing signature', () => {
    expect(accepts(sent(), Buffer.from(JSON.stringify(JSON.parse(body.toString()))), current)).toBe(false);
    expect(accepts(sent(), body, 'whsec_other')).toBe(false);
    expect(accepts(sent(now - 301), body, current)).toBe(false);
    expect(accepts(sent(now + 301), body, current)).toBe(false);
    expect(accepts(without(sent(), 'x-gateway-timestamp'), body, current)).toBe(false);
    expect(accepts(without(without(sent(), 'x-gateway-signature'), 'x-gateway-signature-next'), body, current)).toBe(
      false,
    );
  });
});

test.each(['verify-webhook.mjs', 'verify_webhook.py'])('the README shows %s as it is', (name) => {
  const example = readFileSync(`${folder}/${name}`, 'utf8');
  expect(readFileSync(`${root}README.md`, 'utf8')).toContain(`\n${example}\`\`\`\n`);
});

test.each([
  ['express-webhook.mjs', process.execPath, ['--check']],
  ['fastapi_webhook.py', 'python3', ['-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())']],
] as const)('the pages show %s as it is, and it can be parsed', (name, command, args) => {
  const example = readFileSync(`${folder}/${name}`, 'utf8');
  for (const page of ['docs/webhooks.md', 'docs/pt-br/webhooks.md']) {
    expect(readFileSync(`${root}${page}`, 'utf8'), page).toContain(`\n${example}\`\`\`\n`);
  }
  const { stderr, status } = spawnSync(command, [...args, `${folder}/${name}`], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
