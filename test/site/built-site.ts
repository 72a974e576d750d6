import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { installedFor, installTimeoutMs } from '@gateway/local-stack';

const repository = join(import.meta.dirname, '../..');
const project = join(repository, 'site');
const dist = join(project, 'dist');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Of the test runner, each of which Astro would take for its own: with `DEV`, the pages have no search. */
const ofTheRunner = /^(DEV|PROD|SSR|MODE|BASE_URL|NODE_ENV|TEST|VITEST.*)$/;

/** Installs what the site is built with, and builds it, each only when what it is made of has changed. */
export async function builtSite(): Promise<void> {
  const inherited = Object.entries(process.env).filter(([name]) => !ofTheRunner.test(name));
  const env = Object.fromEntries(inherited);
  const run = (program: string, args: readonly string[]) =>
    promisify(execFile)(program, args, { cwd: project, timeout: installTimeoutMs, env });
  const lock = join(project, 'package-lock.json');
  await installedFor([lock], join(project, 'node_modules/.installed'), async () => {
    await run('npm', ['ci', '--loglevel=error']);
  });
  const sources = globSync(
    [
      'docs/**/*.{md,json}',
      '{sdks,plugins}/*/*.md',
      'services/psp-simulator/README.md',
      'services/api-gateway/src/reference/assets/reading.js',
      'site/*.*',
      'site/{src,public}/*.*',
    ],
    { cwd: repository },
  ).sort();
  const files = sources.map((path) => join(repository, path));
  // A build begins by removing it with all of the one before.
  await installedFor(files, join(dist, '.built'), async () => {
    await run(process.execPath, ['build.mjs']);
  });
}

/** A file of the site as text. */
export function fileOfSite(path: string): string {
  return readFileSync(join(dist, path), 'utf8');
}

export function pagesOfSite(): string[] {
  return globSync('**/index.html', { cwd: dist }).map((path) => `/${path.slice(0, -'index.html'.length)}`);
}

/** The site under the policy that it was built for. */
export class ServedSite implements AsyncDisposable {
  readonly url: string;
  readonly #close: () => void;

  private constructor(url: string, close: () => void) {
    this.url = url;
    this.#close = close;
  }

  static async start(): Promise<ServedSite> {
    const policy = fileOfSite('policy.txt').trim();
    const server = createServer(({ url = '/' }, response) => {
      const asked = join(dist, decodeURIComponent(new URL(url, 'http://site').pathname));
      const file = existsSync(asked) && statSync(asked).isDirectory() ? join(asked, 'index.html') : asked;
      if (!existsSync(file)) return response.writeHead(404).end();
      const type = types[extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
      return response.end(readFileSync(file));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return new ServedSite(`http://127.0.0.1:${port}`, () => {
      server.close();
      server.closeAllConnections();
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#close();
    return Promise.resolve();
  }
}
