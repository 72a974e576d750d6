type Members = Readonly<Record<string, unknown>>;

/**
 * What a change would leave: the members of `before` as the request has them. Null where `before` is not what the request
 * names but the record it is about, of which more changes than that.
 */
export function previewOf(before: object | null | undefined, request: object): Record<string, unknown> | null {
  if (!before || !Object.keys(before).every((name) => Object.hasOwn(request, name))) return null;
  return merged(before as Members, request as Members);
}

function merged(before: Members, request: Members): Record<string, unknown> {
  const members = Object.entries(before).map(([name, value]) => {
    if (!Object.hasOwn(request, name)) return [name, value] as const;
    const wanted = request[name];
    return [name, isMembers(value) && isMembers(wanted) ? merged(value, wanted) : wanted] as const;
  });
  return Object.fromEntries(members);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
