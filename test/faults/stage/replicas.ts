import { gatewayServices, type Service } from '@gateway/local-stack';
import { freePort } from '@gateway/test-kit';

/** The product with a second one of everything, and the URL of its second gateway; providers are not ours to double. */
export async function doubled(): Promise<{ services: Service[]; secondUrl: string }> {
  const compatPort = await freePort();
  const gatewayPort = await freePort();
  const secondUrl = `http://127.0.0.1:${gatewayPort}`;
  const listeners: Record<string, Record<string, string>> = {
    compat: { PORT: String(compatPort) },
    'api-gateway': {
      PORT: String(gatewayPort),
      OPS_PORT: String(await freePort()),
      CONSOLE_PORT: String(await freePort()),
      COMPAT_URL: `http://127.0.0.1:${compatPort}`,
    },
  };
  const ours = gatewayServices.filter(({ name }) => name !== 'psp-simulator');
  const seconds = ours.map((service) => ({
    ...service,
    name: `${service.name}-2`,
    replicaOf: service.name,
    environment: (stack: Parameters<Service['environment']>[0]) => ({
      ...service.environment(stack),
      ...listeners[service.name],
    }),
    ...(service.wholeUrl && { wholeUrl: () => `${secondUrl}/health` }),
  }));
  return { services: [...gatewayServices, ...seconds], secondUrl };
}
