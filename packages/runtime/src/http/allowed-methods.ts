/**
 * Knows which methods exist for a path, to distinguish "no such route" from "not with this method" (RFC 9110, 15.5.6).
 */
export class AllowedMethods {
  readonly #routes: { readonly pattern: RegExp; readonly methods: Set<string> }[] = [];

  /** @param url a route as declared: `/v1/deposits/:id` */
  add(url: string, method: string | readonly string[]): void {
    const pattern = new RegExp(`^${escaped(url)}/?$`);
    const known = this.#routes.find((route) => route.pattern.source === pattern.source);
    const methods = known?.methods ?? new Set<string>();
    for (const each of [method].flat()) methods.add(each);
    if (!known) this.#routes.push({ pattern, methods });
  }

  /** Methods of the path without its query, sorted; empty when the path is unknown. */
  of(path: string): string[] {
    const [withoutQuery = ''] = path.split('?', 1);
    const methods = this.#routes
      .filter((route) => route.pattern.test(withoutQuery))
      .flatMap((route) => [...route.methods]);
    return [...new Set(methods)].sort();
  }
}

/** Parameters match one segment, a trailing `*` matches the rest; everything else matches itself. */
function escaped(url: string): string {
  return url
    .split('/')
    .map((segment) => {
      if (segment === '*') return '.*';
      const [name = '', ...suffix] = segment.split('.');
      if (!name.startsWith(':')) return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return ['[^/]+', ...suffix].join('\\.');
    })
    .join('/');
}
