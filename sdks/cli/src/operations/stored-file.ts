import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Session } from '../calls/session.ts';
import type { Flags, Option } from '../command/command.ts';
import { UsageError } from '../faults/errors.ts';
import { explained } from './failures.ts';

export const fileOption: Readonly<Record<string, Option>> = {
  file: { type: 'string', hint: 'PATH', about: 'A PDF, PNG or JPEG file of up to 5 MiB.' },
};

/** Stores a file, and shows what evidence names of it. @throws UsageError without a file that can be read */
export async function storedFile(session: Session, flags: Flags): Promise<void> {
  const { file: path } = flags;
  if (typeof path !== 'string') throw new UsageError('--file is required');
  const file = await readFile(path).catch(() => {
    throw new UsageError(`${path} cannot be read`);
  });
  await session.permit({ method: 'POST', path: '/v1/files' });
  try {
    const options = { signal: session.signal };
    session.output.record(await session.gateway().files.create({ file, name: basename(path) }, options));
  } catch (error) {
    throw explained(error, { method: 'POST', path: '/v1/files' }, session.connection.base_url);
  }
}
