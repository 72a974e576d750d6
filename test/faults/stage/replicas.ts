import { gatewayServices, type Service } from '@gateway/local-stack';
import { freePort } from '@gateway/test-kit';

/** The product with a second one of everything, and where its second door is; providers are not ours to double. */
export async function doubled(): Promise<{ services: Service[]; secondDoor: string }> {
  const compatPort = await freePort();
  const doorPort = await freePort();
  const secondDoor = `http://127.0.0.1:${doorPort}`;
  const listeners: Record<string, Record<string, string>> = {
    compat: { PORT: String(compatPort) },
    'api-gateway': {
      PORT: String(doorPort),
      OPS_PORT: String(await freePort()),
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
    ...(service.wholeUrl && { wholeUrl: () => `${secondDoor}/health` }),
  }));
  return { services: [...gatewayServices, ...seconds], secondDoor };
}
