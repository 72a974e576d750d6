import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { builtConsole } from '#src/infrastructure/built-console.ts';
import { installPackages, unpackPackage } from '#src/infrastructure/debian-packages.ts';
import { natsBinary } from '#src/infrastructure/nats-binary.ts';
import { generatorTools } from '#src/testing/generator-tools.ts';
import { progressUnless, StartFailure } from '#src/progress.ts';
import { repository } from '#src/state-directory.ts';

/** Without the window of a browser, which costs as much as the pages in it. */
const chromiumShell = '/usr/bin/chromium-headless-shell';
const chromiumPlaces = [chromiumShell, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const fonts = 'fonts-liberation';
/**
 * What the commands and examples of the documentation run with, and the shells that the command line completes in; Debian's
 * packages have the commands' names.
 */
const packagedCommands = ['curl', 'python3', 'openssl', 'zsh', 'fish'];
const pythons = ['python3', '/usr/bin/python3'];
const chromiumHint = 'chromium is missing: install it (Debian: apt-get install chromium)';
const prometheusHint = 'prometheus is missing: install it (Debian: apt-get install prometheus)';

/**
 * A Chromium of the system's; as root, on Debian and Ubuntu, it is installed where there is none.
 *
 * @throws StartFailure when there is none and it cannot be installed.
 */
export async function chromiumBinary(): Promise<string> {
  const find = (): string | undefined => chromiumPlaces.find((place) => existsSync(place));
  const found = find() ?? ((await installPackages(['chromium', fonts])) ? find() : undefined);
  if (found === undefined) throw new StartFailure(chromiumHint);
  return found;
}

/** The Chromium without a window, which Debian has as a package of its own and Ubuntu has not. */
async function lightestChromium(): Promise<void> {
  if (!existsSync(chromiumShell)) await installPackages(['chromium-headless-shell', fonts]);
  await chromiumBinary();
}

/**
 * The directory of `prometheus` and `promtool`: one on PATH, else Debian's package unpacked into `.gateway`. It is not
 * installed, because a package that is starts a server on the port of our provider simulator.
 *
 * @throws StartFailure when they are nowhere and cannot be fetched.
 */
export async function prometheusDirectory(): Promise<string> {
  const unpacked = join(repository, '.gateway/tools/prometheus');
  const directories = [...(process.env.PATH ?? '').split(delimiter), join(unpacked, 'usr/bin')];
  const find = (): string | undefined => directories.find((directory) => answers(join(directory, 'promtool')));
  const found = find() ?? ((await unpackPackage('prometheus', unpacked)) ? find() : undefined);
  if (found === undefined) throw new StartFailure(prometheusHint);
  return found;
}

/**
 * A Python that has a module: one on PATH or the system's, for which Debian's package is installed if need be.
 *
 * @throws StartFailure when there is none and it cannot be installed.
 */
export async function pythonWith(module: string, debianPackage: string): Promise<string> {
  const find = () => pythons.find((python) => spawnSync(python, ['-c', `import ${module}`]).status === 0);
  const found = find() ?? ((await installPackages([debianPackage])) ? find() : undefined);
  if (found === undefined) {
    throw new StartFailure(`Python's ${module} is missing: install it (Debian: apt-get install ${debianPackage})`);
  }
  return found;
}

/**
 * Fetches what the tests run beside the product, so that no test waits for it. What cannot be had, its test will name. The
 * broker is named to what this process starts: where none could be built, that is not tried again.
 */
export async function prepareTestPrograms(): Promise<void> {
  const missing = packagedCommands.filter((command) => spawnSync(command, ['--version']).error !== undefined);
  if (missing.length > 0) await installPackages(missing);
  const broker = natsBinary(progressUnless(false)).then((binary) => {
    process.env.NATS_SERVER = binary;
  });
  const python = pythonWith('cryptography', 'python3-cryptography');
  const console = builtConsole(progressUnless(false));
  // They take longest, and the tests that use them wait until they are installed: the others begin.
  generatorTools().catch(() => undefined);
  await Promise.allSettled([lightestChromium(), prometheusDirectory(), python, broker, console]);
}

function answers(program: string): boolean {
  return existsSync(program) && spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}
