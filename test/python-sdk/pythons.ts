import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The minor version that the SDK runs on at least: `requires-python` of its pyproject. */
const oldest = 11;

/**
 * Every Python that the SDK promises to run on and that is on this machine, by `3.12`: on PATH, or kept by pyenv or by uv.
 * Of a minor version, the first that is found and makes virtual environments.
 */
export function pythonsHere(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const program of candidates()) {
    const asked = 'import sys, venv; print("%d.%d" % sys.version_info[:2])';
    const { status, stdout } = spawnSync(program, ['-c', asked], { encoding: 'utf8', timeout: 10_000 });
    const version = status === 0 ? stdout.trim() : '';
    const [, minor] = /^3\.(\d+)$/.exec(version) ?? [];
    if (Number(minor) >= oldest && !found.has(version)) found.set(version, program);
  }
  return new Map([...found].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })));
}

function candidates(): string[] {
  const kept = [
    join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions'),
    join(process.env['UV_PYTHON_INSTALL_DIR'] ?? join(homedir(), '.local/share/uv/python')),
  ];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...kept.flatMap((root) => (existsSync(root) ? readdirSync(root).map((name) => join(root, name, 'bin')) : [])),
  ].filter((folder) => folder !== '' && existsSync(folder));
  const isPython = (name: string) => /^python3(\.\d+)?$/.test(name);
  return folders.flatMap((folder) =>
    namesIn(folder)
      .filter(isPython)
      .map((name) => join(folder, name)),
  );
}

/** PATH may name what is no folder, or none that is ours to read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
