export const recipient = { name: 'Maria da Silva', document: '529.982.247-25' };

/** @throws Error with the answer, where a call was to succeed */
export function expected<T>(data: T | undefined, error: unknown): T {
  return data ?? refused(error);
}

/** @throws Error with the answer */
export function refused(error: unknown): never {
  throw new Error(JSON.stringify(error));
}
