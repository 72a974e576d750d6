import type { ApiVersion } from '@gateway/contracts/values';
import type { WebhookEvent } from '@gateway/contracts/webhooks';
import { eventSamples, samples } from '@gateway/public-api';
import { type DocumentSchemas, type JsonSchema, nameIn } from '#src/description/schemas.ts';

/** Values by the name of the state they show. */
type Variants = Readonly<Record<string, unknown>>;

/**
 * Examples of a schema as a document has them: those of its records in each of their states, put together with the
 * examples of the members around them.
 */
export function examplesOf(
  schema: JsonSchema,
  schemas: DocumentSchemas,
  version: ApiVersion,
): Record<string, { value: unknown }> {
  const variants = Object.entries(variantsOf(schema, { schemas, version }));
  return Object.fromEntries(variants.map(([name, value]) => [name, { value }]));
}

/** The body of an event, its record in the state that the event reports. */
export function exampleOfEvent(event: WebhookEvent, schema: JsonSchema, known: Known) {
  const [derived] = Object.values(variantsOf(schema, known));
  const data = eventSamples[known.version][event];
  const example = derived as { readonly id: string; readonly data: object };
  return { ...example, created_at: 1_767_348_277, data: { ...(data ?? example.data), ...stateOf(event) } };
}

/** A webhook that the gateway has disabled is not the one that its members alone would show. */
function stateOf(event: WebhookEvent): object {
  return event === 'webhook.disabled' ? { status: 'disabled', disabled_reason: 'failing' } : {};
}

interface Known {
  readonly schemas: DocumentSchemas;
  readonly version: ApiVersion;
}

function variantsOf(schema: JsonSchema, known: Known): Variants {
  const name = nameIn(schema);
  const given = name === undefined ? undefined : samples[known.version][name];
  if (given) return given;
  const resolved = known.schemas.resolve(schema);
  const { examples, properties, items } = resolved;
  if (examples) return { example: examples[0] };
  if (properties) return objectVariants(properties, resolved.required ?? [], known);
  if (items) return { example: [Object.values(variantsOf(items, known))[0]] };
  const options = resolved.oneOf ?? resolved.anyOf;
  if (options?.[0]) return variantsOf(options[0], known);
  return { example: simpleExample(resolved) };
}

/** The states of the first member that has several; all others as in their first example. */
function objectVariants(properties: Record<string, JsonSchema>, required: readonly string[], known: Known): Variants {
  const members = Object.entries(properties)
    .filter(([name]) => required.includes(name))
    .map(([name, member]) => [name, variantsOf(member, known)] as const);
  const [varied] = members.filter(([, variants]) => Object.keys(variants).length > 1);
  const states = Object.keys(varied?.[1] ?? { example: null });
  return Object.fromEntries(
    states.map((state) => {
      const values = members.map(([name, variants]) => [name, variants[state] ?? Object.values(variants)[0] ?? null]);
      return [state, Object.fromEntries(values) as object];
    }),
  );
}

function simpleExample({ const: only, enum: options, default: preset, type, format, pattern, minimum }: JsonSchema) {
  if (only !== undefined) return only;
  if (options) return options[0];
  if (preset !== undefined) return preset;
  const [prefix] = /^\^([a-z]{3}_)/.exec(pattern ?? '')?.slice(1) ?? [];
  if (prefix !== undefined) return `${prefix}01k9z3m4v6t8x0a2c4e6g8jk01`;
  if (format === 'date-time') return '2026-01-02T10:04:37.250Z';
  const simple: Readonly<Record<string, unknown>> = {
    integer: Math.max(minimum ?? 0, 0),
    boolean: false,
    null: null,
    object: {},
  };
  return typeof type === 'string' && type in simple ? simple[type] : 'text';
}
