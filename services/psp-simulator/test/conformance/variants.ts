/** A body without one of its members, or with null in its place. */
export interface Variant {
  /** `.pix[].txid`, the same for every item of a list. */
  readonly member: string;
  readonly body: unknown;
}

type Path = readonly (string | number)[];

/** Every body that lacks one member of this one, and is still described. */
export function bodiesWithoutOne(body: unknown, isDescribed: (body: unknown) => boolean): Variant[] {
  return membersOf(body).flatMap((path) => {
    const member = nameOf(path);
    const without = { member, body: changed(body, path, (parent, name) => Reflect.deleteProperty(parent, name)) };
    const ofNull = { member: `${member} null`, body: changed(body, path, (parent, name) => (parent[name] = null)) };
    return [without, ofNull].filter((variant) => isDescribed(variant.body));
  });
}

/** Every body that has a member more, at each place where there are members. */
export function bodiesWithOneMore(body: unknown, name: string): Variant[] {
  const places = [[] as Path, ...membersOf(body)].filter((path) => isRecord(at(body, path)));
  return places.map((path) => ({
    member: nameOf([...path, name]),
    body: changed(body, [...path, name], (parent, last) => (parent[last] = 'planted')),
  }));
}

/** The same body with another value at a place: `['pix', 0, 'valor']`. */
export function bodyWith(body: unknown, path: Path, value: unknown): unknown {
  return changed(body, path, (parent, name) => (parent[name] = value));
}

/** Only the first item of a list is looked into: the others are like it. */
function membersOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : membersOf(value[0], [...path, 0]);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...membersOf(inner, [...path, name])]);
}

function changed(
  body: unknown,
  path: Path,
  change: (parent: Record<string, unknown>, name: string) => unknown,
): unknown {
  const copy = structuredClone(body);
  change(at(copy, path.slice(0, -1)) as Record<string, unknown>, String(path.at(-1)));
  return copy;
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string | number, unknown>)[name], value);
}

function nameOf(path: Path): string {
  return path.map((name) => (typeof name === 'number' ? '[]' : `.${name}`)).join('');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
