// Writes into .env by which digest each image of docker-compose.yml is meant, so that a tag that moves changes nothing:
// pulls the tags of the file, or those of .env without their digest, and asks the engine what they are now. Run again
// whenever the images are to be renewed. Plain JavaScript: needs Docker, Node 20 and a way to the registries.
//
//   npm run images:pin [-- --file path]

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { file: { type: 'string', default: '.env' } } });
const file = resolve(values.file);
const compose = readFileSync(join(repository, 'docker-compose.yml'), 'utf8');
const tags = new Map([...compose.matchAll(/\$\{(\w+_IMAGE):-([^}]+)\}/g)].map(([, name, tag]) => [name, tag]));

let text = existsSync(file) ? readFileSync(file, 'utf8') : '';
for (const [name, tag] of tags) {
  docker('pull', '--quiet', tag);
  const digest = /@sha256:[0-9a-f]{64}/.exec(
    docker('image', 'inspect', '--format', '{{index .RepoDigests 0}}', tag),
  )?.[0];
  if (digest === undefined) throw new Error(`${tag} comes from no registry, so nobody else knows a digest of it`);
  const line = `${name}=${tag}${digest}`;
  text = new RegExp(`^${name}=.*$`, 'm').test(text)
    ? text.replace(new RegExp(`^${name}=.*$`, 'm'), line)
    : `${text.replace(/\n*$/, '\n')}${line}\n`;
  console.log(line);
}
writeFileSync(file, text, { mode: 0o600 });

function docker(...args) {
  const { status, stdout, error } = spawnSync('docker', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`docker ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
  return stdout.trim();
}
