import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Home, newHome, runCli } from '../support/run-cli.ts';

const secret = 'whsec_YW4gZXhhbXBsZSB0aGF0IHNpZ25zIG5vIGRlbGl2ZXJ5';
const body =
  '{"id":"evt_01k9z3m4v6t8x0a2c4e6g8jk01","event":"deposit.paid","created_at":1,"data":{"id":"dep_1","amount_cents":100}}';

let home: Home;
beforeEach(() => {
  home = newHome();
  vi.stubGlobal('fetch', () => {
    throw new Error('verify and sign need no network');
  });
  file('secret.txt', `${secret}\n`);
  file('body.json', body);
  return () => {
    home[Symbol.dispose]();
    vi.unstubAllGlobals();
  };
});

const path = (name: string) => join(home.folder, name);
const file = (name: string, text: string) => writeFileSync(path(name), text);

async function verify(...more: string[]) {
  const files = ['--secret', `@${path('secret.txt')}`, '--headers', path('headers'), '--body', path('body.json')];
  const { code, stdout } = await runCli(['verify', ...files, ...more], home);
  const { parts, ...result } = JSON.parse(stdout) as {
    valid: boolean;
    parts: { part: string; status: string; detail: string }[];
  };
  const failed = parts.filter(({ status }) => status === 'failed');
  return { code, ...result, failed: failed.map(({ part }) => part), why: failed.map(({ detail }) => detail).join(' ') };
}

async function sign(...more: string[]): Promise<Record<string, string>> {
  const { stdout } = await runCli(
    ['sign', '--secret', `@${path('secret.txt')}`, '--body', path('body.json'), ...more],
    home,
  );
  return JSON.parse(stdout) as Record<string, string>;
}

describe('verify without network', () => {
  test('takes what sign has signed, as JSON and as lines of a log', async () => {
    const headers = await sign();
    file('headers', JSON.stringify(headers));
    expect(await verify()).toMatchObject({ code: 0, valid: true, event: 'deposit.paid', failed: [] });
    file(
      'headers',
      `POST /hooks HTTP/1.1\r\n${Object.entries(headers)
        .map(([name, value]) => `${name.toUpperCase()}: ${value}\r\n`)
        .join('')}`,
    );
    expect(await verify()).toMatchObject({ code: 0, valid: true, failed: [] });
  });

  test.each([
    ['a wrong clock', async () => sign('--at', '1700000000'), ['x-gateway-timestamp', 'webhook-timestamp'], /clock/],
    [
      'a body that was written anew',
      async () => {
        const headers = await sign();
        file('body.json', JSON.stringify(JSON.parse(body), null, 2));
        return headers;
      },
      ['x-gateway-signature', 'webhook-signature'],
      /re-serialised/,
    ],
    [
      'another secret',
      async () => {
        const headers = await sign();
        file('secret.txt', secret.replace('YW4g', 'YW5h'));
        return headers;
      },
      ['x-gateway-signature', 'webhook-signature'],
      /wrong secret/,
    ],
    [
      'a changed amount',
      async () => {
        const headers = await sign();
        file('body.json', body.replace('100', '900'));
        return headers;
      },
      ['x-gateway-signature', 'webhook-signature'],
      /content was changed/,
    ],
    [
      'a time that was changed',
      async () => {
        const headers = await sign();
        return { ...headers, 'x-gateway-timestamp': String(Number(headers['x-gateway-timestamp']) - 7) };
      },
      ['x-gateway-signature'],
      /time was changed/,
    ],
    [
      'one header that is cut',
      async () => {
        const headers = await sign();
        return { ...headers, 'webhook-signature': headers['webhook-signature']!.slice(0, -4) };
      },
      ['webhook-signature'],
      /form of a signature/,
    ],
    ['no signature', async () => ({ 'content-type': 'application/json' }), ['x-gateway-signature'], /missing/],
  ] as const)('names what is false with %s, and ends with 9', async (_, prepare, failed, why) => {
    file('headers', JSON.stringify(await prepare()));
    const result = await verify();
    expect(result).toMatchObject({ code: 9, failed });
    expect(result.why).toMatch(why);
  });

  test('shows no secret, and refuses one that is none without showing it', async () => {
    file('headers', JSON.stringify(await sign()));
    const args = ['verify', '--headers', path('headers'), '--body', path('body.json')];
    const typed = await runCli([...args, '--secret', secret], home);
    expect(typed.code).toBe(0);
    expect(typed.stdout + typed.stderr).not.toContain(secret);
    expect(typed.stderr).toContain('history');
    const wrong = await runCli([...args, '--secret', 'swordfish'], home);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).not.toContain('swordfish');
  });
});
