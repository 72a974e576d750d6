const depthMax = 4;
const keysMax = 20;

/**
 * What a value looks like without what it says: keys and types. For logs and causes, where a provider's answer may hold
 * names, documents and account numbers that must not be kept.
 */
export function shapeOf(value: unknown, depth = 0): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return depth >= depthMax ? 'array' : `[${shapeOf(value[0], depth + 1)} x ${value.length}]`;
  }
  if (typeof value !== 'object') return typeof value;
  if (depth >= depthMax) return 'object';
  const keys = Object.keys(value);
  const members = keys
    .slice(0, keysMax)
    .map((key) => `${keyName(key)}: ${shapeOf((value as Record<string, unknown>)[key], depth + 1)}`);
  if (keys.length > keysMax) members.push(`${keys.length - keysMax} more`);
  return `{${members.join(', ')}}`;
}

/** A key that does not look like a name of the protocol may be content. */
function keyName(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/.test(key) ? key : '?';
}
