import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from '../support/document.ts';
import { runProgram, type Finished } from '../support/run-program.ts';

const root = join(import.meta.dirname, '../..');
const packages = ['sdks/typescript', 'sdks/cli', 'sdks/mcp'];

/** The command line and the MCP server as people have them: packed and installed by the commands of their pages. */
export class PackedCli implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'packed-cli-'));
  readonly #run = new Set<string>();

  /** Installs the command line where no registry can be reached. */
  static async install(): Promise<PackedCli> {
    const packed = new PackedCli();
    mkdirSync(packed.#of('project'));
    packed.#copyRepository();
    await packed.#follow('docs/cli.md', { npm_config_offline: 'true' });
    return packed;
  }

  /** Installs the MCP server, with its packages from npm. @returns its version */
  async installServer(): Promise<string> {
    const output = await this.#follow('docs/mcp.md', { npm_config_prefer_offline: 'true' });
    return output.trim().split('\n').at(-1) ?? '';
  }

  get tarball(): string {
    return this.#of('project/gateway-cli-0.1.0.tgz');
  }

  /** Names of the packages that were installed for the command line. */
  installed(): string[] {
    const modules = this.#of('.gateway-cli/node_modules');
    const manifests = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('package.json'),
    );
    const names = manifests.map((path) => JSON.parse(readFileSync(join(modules, path), 'utf8')).name as string);
    return [...new Set(names)].sort();
  }

  /** Runs `gateway` as npm has linked it, with the folders of a person of its own. */
  run(node: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
    const folders = { XDG_CONFIG_HOME: this.#of('config'), XDG_STATE_HOME: this.#of('state'), HOME: this.#folder };
    const program = this.#of('.gateway-cli/node_modules/.bin/gateway');
    return runProgram(node, [program, ...args], { cwd: this.#folder, env: { ...folders, ...env } });
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #of(name: string): string {
    return join(this.#folder, name);
  }

  /** What is built in it stays out of the repository that other tests use. */
  #copyRepository(): void {
    for (const path of packages)
      cpSync(join(root, path), this.#of(join('repository', path)), {
        recursive: true,
        filter: (name) => !/\/(node_modules|dist|test)$/.test(name),
      });
    const modules = this.#of('repository/node_modules');
    mkdirSync(join(modules, '@gateway'), { recursive: true });
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '@gateway') symlinkSync(join(root, 'node_modules', name), join(modules, name));
    symlinkSync(this.#of('repository/sdks/typescript'), join(modules, '@gateway/sdk'));
  }

  /** Runs what a page says of installing, but for lines that were run before. @returns what they printed */
  async #follow(page: string, env: Readonly<Record<string, string>>): Promise<string> {
    const blocks = blocksOf(readFileSync(join(root, page), 'utf8')).filter(({ place }) => place === 'start');
    const lines = blocks.flatMap(({ text }) => text.split('\n')).filter((line) => !this.#run.has(line));
    lines.forEach((line) => this.#run.add(line));
    const all = { ...env, GATEWAY: this.#of('repository'), HOME: this.#folder, npm_config_cache: cacheOf() };
    const script = ['set -e', ...lines].join('\n');
    const { code, output } = await runProgram('bash', ['-c', script], { cwd: this.#of('project'), env: all });
    if (code !== 0) throw new Error(`what ${page} says fails: ${output}`);
    return output;
  }
}

/** npm's own cache of this machine, which is not in the folder of the person that the test plays. */
function cacheOf(): string {
  return process.env['npm_config_cache'] ?? join(process.env['HOME'] ?? tmpdir(), '.npm');
}
