import { useEffect, useState } from 'react';

/**
 * Whether what was read at this time is older than it may be; it becomes so by the clock alone.
 *
 * @param readAt in milliseconds by the clock of the browser; undefined before anything was read
 */
export function useIsOld(readAt: number | undefined, oldAfterMs: number): boolean {
  const [oldSince, setOld] = useState<number>();
  useEffect(() => {
    if (readAt === undefined) return undefined;
    const timer = setTimeout(() => setOld(readAt), Math.max(0, readAt + oldAfterMs - Date.now()));
    return () => clearTimeout(timer);
  }, [readAt, oldAfterMs]);
  return readAt !== undefined && oldSince === readAt;
}
