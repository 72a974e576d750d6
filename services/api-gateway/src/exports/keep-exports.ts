import type { DueWorker, Database } from '@gateway/persistence';
import { level, startLoop, type Logger } from '@gateway/runtime';
import { writeDuePart, type ExportDeps } from '#src/exports/run-exports.ts';

const sampleIntervalMs = 10_000;
const partsPerRound = 100;

const running = level('gateway_exports_running', 'Exports that are being written');
const oldest = level('gateway_exports_oldest_seconds', 'Time since the export was due that has waited longest');

/**
 * What writes the files. It runs in the gateway, which has the accounts and composes the accounting statement by the same
 * questions; it works by the page and rests as long as it has worked, so that merchants' requests pass in between.
 */
export function exportWorkers(deps: ExportDeps): DueWorker[] {
  return [
    {
      name: 'exports',
      firstDue: '(select min(due_at) from export where due_at is not null)',
      work: async (signal) => await writeDuePart(deps, signal),
    },
  ];
}

/** Drops files whose time is up, and counts those that are being written. */
export function keepExports(database: Database, logger: Logger): AsyncDisposable {
  const work = async () => {
    await sample(database);
    const dropped = await database.query(
      `delete from export_part where (export_id, number) in (
         select p.export_id, p.number from export e join export_part p on p.export_id = e.id
         where e.status = 'COMPLETED' and e.expires_at < now() limit $1) returning number`,
      [partsPerRound],
    );
    return dropped.length === partsPerRound;
  };
  return startLoop({ name: 'keep exports', intervalMs: sampleIntervalMs, logger, work });
}

/** One of a day that has just ended is created before it is due, and waits for nothing until then. */
async function sample(database: Database): Promise<void> {
  const [row] = await database.query<{ running: number; seconds: number }>(
    `select count(*)::bigint as running,
       coalesce(max(extract(epoch from now() - created_at)) filter (where due_at <= now() + interval '60 s'), 0)::float8
         as seconds
     from export where due_at is not null`,
  );
  running.set(row?.running ?? 0);
  oldest.set(row?.seconds ?? 0);
}
