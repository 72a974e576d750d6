import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

const functionsMax = 12;
/** Of a process that did next to nothing there is nothing to say. */
const busyMinMs = 500;

/** Per CPU profile of the directory: the functions its process spent most of its busy time in, callees not counted. */
export function hottestFunctions(directory: string): string {
  const files = readdirSync(directory).filter((name) => name.endsWith('.cpuprofile'));
  return files.flatMap((file) => describe(readFileSync(join(directory, file), 'utf8'), file)).join('\n\n');
}

function describe(json: string, file: string): string[] {
  const { nodes, samples, timeDeltas } = profileSchema.parse(JSON.parse(json));
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const service = nodes.map(({ callFrame }) => /services\/([a-z-]+)\/src\/main/.exec(callFrame.url)?.[1]).find(Boolean);
  const busyUs = new Map<string, number>();
  let totalUs = 0;
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    if (name.startsWith('(idle)')) continue;
    const us = timeDeltas[index] ?? 0;
    busyUs.set(name, (busyUs.get(name) ?? 0) + us);
    totalUs += us;
  }
  if (totalUs < busyMinMs * 1_000) return [];
  const descending = [...busyUs].sort(([, one], [, other]) => other - one).slice(0, functionsMax);
  const lines = descending.map(([name, us]) => `  ${((100 * us) / totalUs).toFixed(1).padStart(5)} %  ${name}`);
  return [`${service ?? file}: ${(totalUs / 1e6).toFixed(1)} s busy\n${lines.join('\n')}`];
}

function nameOf({
  functionName,
  url,
  lineNumber,
}: z.infer<typeof profileSchema>['nodes'][number]['callFrame']): string {
  const place = url.replace(/.*\/node_modules\//, '').replace(/.*\/(packages|services|bench)\//, '$1/');
  return `${functionName || '(anonymous)'}${place === '' ? '' : ` ${place}:${lineNumber + 1}`}`;
}
