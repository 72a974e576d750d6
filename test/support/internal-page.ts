import type { Stack } from '@gateway/local-stack';

/** A page of a service's internal listener, as a probe or Prometheus reads it: `/ready`, `/metrics`. */
export async function internalPage(stack: Stack, service: string, path: string): Promise<string> {
  const port = stack.process(service).definition.env['INTERNAL_PORT'];
  return await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}
