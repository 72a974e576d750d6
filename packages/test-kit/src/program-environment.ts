/**
 * What a program of ours needs of the environment of the test that starts it: where programs are, and where Node keeps what it
 * made of the sources, which it would strip and compile at every start.
 */
export function programEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE: cache } = process.env;
  return { PATH, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) };
}
