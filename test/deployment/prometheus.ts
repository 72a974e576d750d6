import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { prometheusDirectory } from '@gateway/local-stack';
import { freePort } from '@gateway/test-kit';

const programs = await prometheusDirectory();

/** What promtool reports of a file; its exit code is the result. */
export function promtool(...args: string[]): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(join(programs, 'promtool'), args, { encoding: 'utf8' });
  return { ok: status === 0, output: stdout + stderr };
}

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

export interface RunningPrometheus extends AsyncDisposable {
  /** @throws when Prometheus does not accept the query */
  query(expression: string): Promise<Sample[]>;
}

/** A Prometheus that scrapes these ports of loopback every second, each as one service of the job `gateway`. */
export async function startPrometheus(ports: Readonly<Record<string, string>>): Promise<RunningPrometheus> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-prometheus-'));
  const configFile = join(directory, 'prometheus.yml');
  const targets = Object.entries(ports).map(([service, port]) => ({
    targets: [`127.0.0.1:${port}`],
    labels: { service },
  }));
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'gateway', static_configs: targets }],
  };
  writeFileSync(configFile, stringify(config));
  const port = await freePort();
  const args = [`--config.file=${configFile}`, `--storage.tsdb.path=${directory}/data`];
  const child = spawn(join(programs, 'prometheus'), [...args, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: 'ignore',
  });
  return {
    query: async (expression) => {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`;
      const answer = (await (await fetch(url)).json()) as {
        status: string;
        error?: string;
        data: { result: Sample[] };
      };
      if (answer.status !== 'success') throw new Error(`${expression}: ${answer.error}`);
      return answer.data.result;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
