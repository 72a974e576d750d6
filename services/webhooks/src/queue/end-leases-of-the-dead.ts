import type { Database } from '@gateway/service-kit';
import { hasLeased } from '#src/queue/claim.ts';

/**
 * A process that starts knows who of its host is gone: what those held is due again now, not when their leases end. Its
 * own name was somebody else's until now, as every process of a container is number 1. Other hosts' leases end by
 * themselves: their holders may be alive.
 */
export async function endLeasesOfTheDead(database: Database, replica: string): Promise<void> {
  const leases = await database.query<{ lease_owner: string }>(
    'select distinct lease_owner from delivery where state = 1',
  );
  const dead = leases.map(({ lease_owner: owner }) => owner).filter((owner) => isDead(owner, replica));
  if (dead.length === 0) return;
  await database.query(
    `update delivery set lease_until = now() - interval '1 millisecond' where state = 1 and lease_owner = any($1)`,
    [dead],
  );
}

/** Lease owners are `host:pid/number`, this process is `host:pid`. */
function isDead(owner: string, replica: string): boolean {
  const holder = owner.slice(0, owner.lastIndexOf('/'));
  if (holder === replica) return !hasLeased();
  const [host, pid] = partsOf(holder);
  return host === partsOf(replica)[0] && !isRunning(Number(pid));
}

function partsOf(replica: string): [host: string, pid: string] {
  const colon = replica.lastIndexOf(':');
  return [replica.slice(0, colon), replica.slice(colon + 1)];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
