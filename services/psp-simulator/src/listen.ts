import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import { listenEarly, type EarlyListener } from '@gateway/runtime/http';
import type { Config } from '#src/config.ts';

/** Plain HTTP, or mutual TLS where the configuration has certificates: then a client without one is refused. */
export async function listen(config: Config): Promise<EarlyListener> {
  const { HOST: host, PORT: port } = config;
  const files = [config.TLS_CERTIFICATE_FILE, config.TLS_PRIVATE_KEY_FILE, config.TLS_CLIENT_AUTHORITY_FILE];
  const [certificate, privateKey, authority] = files;
  if (!certificate || !privateKey || !authority) return await listenEarly({ host, port });
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer(
    {
      cert: readFileSync(certificate),
      key: readFileSync(privateKey),
      ca: readFileSync(authority),
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
    },
    (request, response) => listener(request, response),
  );
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    adopt: (next) => {
      listener = next;
      return server;
    },
    [Symbol.asyncDispose]: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
