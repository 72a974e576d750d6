import { type ComponentType, lazy } from 'react';

/** A page in a file of its own, which the browser loads when the page is opened first. */
export function lazyPage<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load() }));
}
