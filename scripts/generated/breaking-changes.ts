// What changes of an interface break those who use it: a client that was generated from the released description has to
// work on, so a change is permitted that only adds. Requests are strict: a member that is gone would be refused.

export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface Description {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A line per change that breaks a client of the released description; none while it only adds. */
export function breakingChanges(released: Description, current: Description): string[] {
  return new Comparison(released, current).changes();
}

type Direction = 'request' | 'answer';

class Comparison {
  readonly #released: Description;
  readonly #current: Description;
  /** Named schemas that have been compared, by direction: each is reported once, and may refer to itself. */
  readonly #seen = new Set<string>();

  constructor(released: Description, current: Description) {
    this.#released = released;
    this.#current = current;
  }

  changes(): string[] {
    return [
      ...this.#operations(this.#released.paths, this.#current.paths, { body: 'request', answer: 'answer' }),
      // What a webhook takes is what receivers read.
      ...this.#operations(this.#released.webhooks ?? {}, this.#current.webhooks ?? {}, {
        body: 'answer',
        answer: 'request',
      }),
    ];
  }

  #operations(
    released: Description['paths'],
    current: Description['paths'],
    directions: { readonly body: Direction; readonly answer: Direction },
  ): string[] {
    return Object.entries(released).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, before]) => {
        const after = current[path]?.[method];
        const name = `${method.toUpperCase()} ${path}`;
        if (!after) return [`${name} is gone`];
        return [
          ...(before.operationId === after.operationId ? [] : [`${name} was ${before.operationId}, a name in clients`]),
          ...this.#parameters(name, before, after),
          ...this.#bodies(name, before, after, directions.body),
          ...this.#answers(name, before, after, directions.answer),
        ];
      }),
    );
  }

  #parameters(name: string, before: Operation, after: Operation): string[] {
    const keyOf = (parameter: Parameter) => parameter.$ref ?? `${parameter.in ?? ''} ${parameter.name ?? ''}`;
    const earlier = new Map((before.parameters ?? []).map((parameter) => [keyOf(parameter), parameter]));
    const later = new Map((after.parameters ?? []).map((parameter) => [keyOf(parameter), parameter]));
    const gone = [...earlier.keys()].filter((key) => !later.has(key)).map((key) => `${name}: parameter ${key} is gone`);
    const changed = [...later].flatMap(([key, parameter]) => {
      const was = earlier.get(key);
      const newlyRequired = parameter.required === true && was?.required !== true;
      return [
        ...(newlyRequired ? [`${name}: parameter ${key} is required now`] : []),
        ...this.#schemas(`${name}: parameter ${key}`, was?.schema, parameter.schema, 'request'),
      ];
    });
    return [...gone, ...changed];
  }

  #bodies(name: string, { requestBody: before }: Operation, { requestBody: after }: Operation, direction: Direction) {
    const required = after?.required === true && before?.required !== true;
    const content = before && after ? this.#contents(`${name} body`, before.content, after.content, direction) : [];
    const gone = before && !after ? [`${name} takes no body any more`] : [];
    return [...(required ? [`${name} requires a body now`] : []), ...gone, ...content];
  }

  #answers(name: string, { responses: before }: Operation, { responses: after }: Operation, direction: Direction) {
    const successes = Object.entries(before).filter(([status]) => status.startsWith('2'));
    return successes.flatMap(([status, { content = {} }]) => {
      const answer = after[status];
      if (!answer) return [`${name} answers ${status} no more`];
      return this.#contents(`${name} ${status}`, content, answer.content ?? {}, direction);
    });
  }

  #contents(name: string, before: Content, after: Content, direction: Direction): string[] {
    return Object.entries(before).flatMap(([type, { schema }]) => {
      const now = after[type];
      return now ? this.#schemas(name, schema, now.schema, direction) : [`${name} is not ${type} any more`];
    });
  }

  #schemas(name: string, before: Schema | undefined, after: Schema | undefined, direction: Direction): string[] {
    if (!before || !after) return [];
    const form = direction === 'request' ? besideNull(before, after) : after;
    if (form !== after) {
      const [were, are] = [kindsOf(before, this.#released), kindsOf(after, this.#current)];
      return [...alternatives(name, were, are, direction), ...this.#schemas(name, before, form, direction)];
    }
    const pair = `${direction} ${before.$ref ?? ''} ${after.$ref ?? ''}`;
    if (before.$ref !== undefined && after.$ref !== undefined) {
      if (this.#seen.has(pair)) return [];
      this.#seen.add(pair);
    }
    const was = resolved(before, this.#released);
    const is = resolved(after, this.#current);
    return [
      ...alternatives(name, kindsOf(before, this.#released), kindsOf(after, this.#current), direction),
      ...members(name, was, is, direction),
      ...Object.entries(was.properties ?? {}).flatMap(([member, schema]) =>
        this.#schemas(`${name}.${member}`, schema, is.properties?.[member], direction),
      ),
      ...this.#schemas(`${name}[]`, was.items, is.items, direction),
      ...this.#branches(name, was, is, direction),
    ];
  }

  /** Alternatives of the same kind are compared with each other; which there are has been compared before. */
  #branches(name: string, was: Schema, is: Schema, direction: Direction): string[] {
    return branchesOf(was).flatMap((branch) => {
      const kinds = kindsOf(branch, this.#released).join();
      const same = branchesOf(is).find((other) => kindsOf(other, this.#current).join() === kinds);
      return this.#schemas(name, branch, same, direction);
    });
  }
}

function resolved(schema: Schema, { components }: Description): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : { ...components.schemas[name], ...schema };
}

/** Where null is taken as well from now on, the form beside it is what callers send as before. */
function besideNull(before: Schema, after: Schema): Schema {
  const [form, ...others] = branchesOf(after).filter(({ type }) => type !== 'null');
  return form && others.length === 0 && branchesOf(before).length === 0 ? form : after;
}

function branchesOf(schema: Schema): readonly Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [];
}

/** What a value may be: types, values of an enumeration, and objects by the names that they have in clients. */
function kindsOf(schema: Schema, description: Description): string[] {
  if (schema.$ref !== undefined) {
    const target = resolved(schema, description);
    return target.properties ? [schema.$ref] : kindsOf({ ...target, $ref: undefined }, description);
  }
  const branches = branchesOf(schema);
  if (branches.length > 0) return branches.flatMap((branch) => kindsOf(branch, description));
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value));
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  return schema.type === undefined ? [] : [schema.type].flat();
}

/** Callers may send what they could; readers of answers never get what was not announced, but a value of a list. */
function alternatives(name: string, before: readonly string[], after: readonly string[], direction: Direction) {
  const gone = before.filter((kind) => !after.includes(kind)).map((kind) => `${name} is ${kind} no more`);
  const isValue = (kind: string) => kind.startsWith('"');
  const added = after.filter((kind) => !before.includes(kind) && !isValue(kind));
  return [...gone, ...(direction === 'answer' ? added.map((kind) => `${name} can be ${kind} now`) : [])];
}

function members(name: string, was: Schema, is: Schema, direction: Direction): string[] {
  const present = Object.keys(is.properties ?? {});
  const gone = Object.keys(was.properties ?? {}).filter((member) => !present.includes(member));
  const required = is.required ?? [];
  const before = was.required ?? [];
  const changed =
    direction === 'request'
      ? required.filter((member) => !before.includes(member)).map((member) => `${name}.${member} is required now`)
      : before
          .filter((member) => present.includes(member) && !required.includes(member))
          .map((member) => `${name}.${member} may be missing now`);
  return [...gone.map((member) => `${name}.${member} is gone`), ...changed];
}
