import { freePort, listenError } from '#src/processes/free-port.ts';
import { StartFailure } from '#src/progress.ts';

/** A listener whose port people know. */
export interface KnownPort {
  /** The variable that sets it. */
  variable: 'PORT' | 'OPS_PORT' | 'CONSOLE_PORT' | 'SIMULATOR_PORT';
  /** 0 picks a free one. */
  port: number;
}

/**
 * The port to listen on.
 *
 * @throws StartFailure naming port and variable when another process listens there.
 */
export async function resolvePort({ variable, port }: KnownPort, host: string): Promise<number> {
  if (port === 0) return freePort(host);
  const error = await listenError(port, host);
  if (error === undefined) return port;
  if (error === 'EADDRINUSE') {
    throw new StartFailure(`port ${port} is taken: end what listens there, or set ${variable} to another port`);
  }
  throw new StartFailure(
    `cannot listen on ${host} port ${port} (${error}): set ${variable}, or where to listen, to another one`,
  );
}

/** @throws StartFailure when two listeners were given the same port, in whatever order they are named. */
export function requireDistinctPorts(ports: {
  public?: number;
  ops?: number;
  console?: number;
  simulator?: number;
}): void {
  const { public: PORT, ops: OPS_PORT, console: CONSOLE_PORT, simulator: SIMULATOR_PORT } = ports;
  const chosen = Object.entries({ PORT, OPS_PORT, CONSOLE_PORT, SIMULATOR_PORT });
  const named = new Map<number, string>();
  for (const [variable, port] of chosen) {
    if (!port) continue;
    const other = named.get(port);
    if (other !== undefined)
      throw new StartFailure(`${other} and ${variable} are both ${port}: give each its own port`);
    named.set(port, variable);
  }
}

/** Reads a port from the environment. @throws StartFailure when it is none. */
export function portFromEnvironment(variable: KnownPort['variable'], otherwise: number): number {
  const text = process.env[variable];
  if (text === undefined || text === '') return otherwise;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new StartFailure(`${variable} must be a port number from 0 to 65535, not "${text}"`);
}
