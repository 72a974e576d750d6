import { DomainError } from '@gateway/contracts/errors';

/** One question to one service. */
export interface Source<Found> {
  readonly name: string;
  readonly read: () => Promise<Found[]>;
}

/** What all of them know. A service that does not answer is named, and what the others know is shown. */
export async function askSources<Found>(
  sources: readonly Source<Found>[],
): Promise<{ found: Found[]; incomplete: string[] }> {
  const incomplete = new Set<string>();
  const found = await Promise.all(
    sources.map(async ({ name, read }) => {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        incomplete.add(name);
        return [];
      }
    }),
  );
  return { found: found.flat(), incomplete: [...incomplete].sort() };
}

/** To be given what was thrown: a record that is not there is undefined. */
export function unlessMissing(error: unknown): undefined {
  if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
  throw error;
}
