import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { repositoryRoot, trackedFiles } from './repository.ts';

/** Only hashes and versions, and 400 KB of them. */
const leftOut: ReadonlySet<string> = new Set(['package-lock.json']);

/** What looks like a secret and opens nothing: addresses of servers that do not exist, or only while a test runs. */
const harmless: readonly RegExp[] = [
  /^found PostgreSQL connection string: \S+@(127\.0\.0\.1|localhost|postgres|[\w.-]+\.(example|invalid|test))[:/]/,
];

/** Put together here, or this file would have to be left out. */
const planted = ['postgresql://gateway:s3cr3t', 'db.gateway.com:5432/ledger'].join('@');

/** No file that is kept in the repository holds a credential; a planted one proves that it looks. */
export async function checkSecrets(): Promise<string[]> {
  const files = (await trackedFiles()).filter((file) => !leftOut.has(file));
  const complaints: string[] = [];
  for (const file of files) {
    const content = await readFile(join(repositoryRoot, file)).catch(() => undefined);
    // A picture holds no text to look at; a file that was removed since holds nothing.
    if (content && !content.includes(0)) complaints.push(...(await secretsIn(file, content.toString('utf8'))));
  }
  if ((await secretsIn('planted.ts', planted)).length === 0) complaints.push('a planted password was not reported');
  return complaints;
}

async function secretsIn(file: string, content: string): Promise<string[]> {
  const { messages } = await lintSource({
    source: { filePath: join(repositoryRoot, file), content, ext: extname(file), contentType: 'text' },
    options: { config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] } },
  });
  return messages
    .filter(({ message }) => !harmless.some((pattern) => pattern.test(message)))
    .map(({ message, loc }) => `${file}:${loc.start.line}: ${message}`);
}
