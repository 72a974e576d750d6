import { errorTable, type ErrorCode } from '@gateway/contracts/errors';
import { bodyRefusals, commonRefusals, type Parameter } from '#src/description/apis.ts';
import type { DescribedMedia, DescribedOperation } from '#src/description/operation.ts';
import { type JsonSchema, nameIn } from '#src/description/schemas.ts';
import { Html, markup, nothing } from '#src/pages/html.ts';
import { inline, prose } from '#src/reference/layout.ts';

/** What the pages of one description share. */
export interface ReferenceContext {
  /** Where its pages are: `/docs`. */
  readonly base: string;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The headers that stand for credentials in the examples of calls. */
  readonly credentials: readonly string[];
  /** The same calls by the SDKs, by `operationId`. */
  readonly examples: SdkExamples;
}

/** Calls as programs make them with an SDK, whose client is `gateway`. */
export type SdkExamples = Readonly<Record<string, { readonly ts: string; readonly py: string }>>;

/** One operation: what it does, takes and answers, and what it refuses. */
export function operationArticle(
  call: { readonly method: string; readonly path: string },
  operation: DescribedOperation,
  context: ReferenceContext,
): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const asked = parameters.filter((parameter) => 'name' in parameter);
  return markup`<article id="${operationId}">
<h2>${summary}</h2>
<p class="call"><code>${call.method} ${call.path}</code></p>
${prose(description)}
${asked.length === 0 ? nothing : markup`<h3>Parameters</h3><dl>${asked.map((each) => parameterEntry(each, context))}</dl>`}
${body ? markup`<h3>Body${requestBody.required ? '' : ', may be left out'}: ${typeOf(body.schema, context)}</h3>${membersOf(body.schema, context)}` : nothing}
${call.method === 'EVENT' ? nothing : exampleCalls(call, operation, context)}
${answersOf(responses, context)}
${call.method === 'EVENT' ? examplesOf(body) : refusalsOf(responses)}
</article>`;
}

function parameterEntry({ name, in: place, required, description = '', schema }: Parameter, context: ReferenceContext) {
  const how = `${place}${required ? ', required' : ''}`;
  return markup`<dt><code>${name}</code> <span class="type">${typeOf(schema as JsonSchema, context)}, ${how}</span></dt><dd>${inline(description)}</dd>`;
}

/** The members of an object, each with its type and what it means. */
export function membersOf(schema: JsonSchema, context: ReferenceContext): Html {
  const { properties = {}, required = [], oneOf, anyOf } = resolved(schema, context);
  const forms = (oneOf ?? anyOf ?? []).filter((form) => nameIn(form) !== undefined);
  if (forms.length > 0) return markup`${forms.map((form) => formOf(form, { isOnly: forms.length === 1 }, context))}`;
  const entries = Object.entries(properties).map(([name, member]) => {
    const what = member.description ?? resolved(member, context).description ?? '';
    const presence = required.includes(name) ? '' : ', optional';
    return markup`<dt><code>${name}</code> <span class="type">${typeOf(member, context)}${presence}</span></dt><dd>${inline(what)}</dd>`;
  });
  return entries.length === 0 ? nothing : markup`<dl>${entries}</dl>`;
}

/** One of the forms that a value can have. */
function formOf(form: JsonSchema, { isOnly }: { readonly isOnly: boolean }, context: ReferenceContext): Html {
  if (isOnly) return membersOf(form, context);
  const { description = '' } = resolved(form, context);
  return markup`<p>${typeOf(form, context)}: ${inline(description)}</p>${membersOf(form, context)}`;
}

function resolved(schema: JsonSchema, { schemas }: ReferenceContext): JsonSchema {
  const name = nameIn(schema);
  return name === undefined ? schema : (schemas[name] ?? schema);
}

/** The type of a value in words; a named one is a link to it. */
export function typeOf(schema: JsonSchema, context: ReferenceContext): Html {
  const name = nameIn(schema);
  if (name !== undefined) return markup`<a href="${context.base}/schemas#${name}">${name}</a>`;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return joined(options.map((option) => typeOf(option, context)));
  if (schema.const !== undefined)
    return markup`<code>${typeof schema.const === 'string' ? schema.const : JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return markup`${joined(schema.enum.map((value) => markup`<code>${String(value)}</code>`))}${behind(defaultOf(schema))}`;
  const { items, minItems, maxItems } = schema;
  if (items) return markup`list of ${typeOf(items, context)}${behind(rangeOf(minItems, maxItems)?.concat(' of them'))}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
  return markup`${type}${behind(schema.format, ...boundsOf(schema))}`;
}

function behind(...remarks: readonly (string | undefined)[]): string {
  return remarks
    .filter((remark) => remark !== undefined)
    .map((remark) => `, ${remark}`)
    .join('');
}

/** How large a number or how long a text may be, and what stands for a value that is left out. */
function boundsOf(schema: JsonSchema): readonly (string | undefined)[] {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength } = schema;
  const least = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum;
  const value = schema.type === 'integer' ? rangeOf(least, maximum) : undefined;
  return [value, rangeOf(minLength, maxLength)?.concat(' characters'), defaultOf(schema)];
}

function defaultOf({ default: value }: JsonSchema): string | undefined {
  return value === undefined ? undefined : `${JSON.stringify(value)} when left out`;
}

/** `1 to 120`, `at most 64`; undefined without a bound that a caller can meet by mistake. */
function rangeOf(min: unknown, max: unknown): string | undefined {
  const [least, most] = [min, max].map((bound) => {
    return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER
      ? bound.toLocaleString('en')
      : undefined;
  });
  if (most !== undefined) return least === undefined || least === '0' ? `at most ${most}` : `${least} to ${most}`;
  return least === undefined || least === '0' ? undefined : `at least ${least}`;
}

function joined(parts: readonly Html[]): Html {
  return markup`${parts.map((part, at) => (at === 0 ? part : markup` or ${part}`))}`;
}

function exampleCalls(
  { method, path }: { readonly method: string; readonly path: string },
  { operationId, requestBody }: DescribedOperation,
  { credentials, examples }: ReferenceContext,
): Html {
  const sent = Object.values(requestBody?.content['application/json']?.examples ?? {})[0]?.value;
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$GATEWAY_BASE_URL${path}"`,
    ...credentials.map((header) => `-H "${header}"`),
    ...(sent === undefined ? [] : ['-H "content-type: application/json"', `-d '${JSON.stringify(sent)}'`]),
  ];
  const { [operationId]: bySdk } = examples;
  const calls = [
    ['curl', 'sh', lines.join(' \\\n  ')],
    ...(bySdk === undefined
      ? []
      : ([
          ['TypeScript', 'ts', bySdk.ts],
          ['Python', 'py', bySdk.py],
        ] as const)),
  ] as const;
  const shown = calls.map(
    ([label, language, text], at) =>
      markup`<details${new Html(at === 0 ? ' open' : '')}><summary>${label}</summary>${code(text, language)}</details>`,
  );
  return markup`<h3>Call</h3>${shown}`;
}

function answersOf(responses: DescribedOperation['responses'], context: ReferenceContext): Html {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const shown = successes.map(([status, { description = '', content = {} }]) => {
    const types = Object.entries(content).map(([type, { schema }]) =>
      type === 'application/json' ? typeOf(schema, context) : markup`<code>${type}</code>`,
    );
    const examples = examplesOf(content['application/json']);
    return markup`<h3>Answer ${status}${types.length === 0 ? markup`: ${inline(description)}` : markup`: ${joined(types)}`}</h3>${examples}`;
  });
  return markup`${shown}`;
}

function examplesOf(media: DescribedMedia | undefined): Html {
  const examples = Object.entries(media?.examples ?? {});
  return markup`${examples.map(
    ([state, { value }]) =>
      markup`<details><summary>Example: ${state}</summary>${code(JSON.stringify(value, null, 2))}</details>`,
  )}`;
}

/** Codes that every operation can refuse with stand on a page of their own. */
const everywhere: ReadonlySet<string> = new Set([...commonRefusals, 'AUTH_IP_BLOCKED', ...bodyRefusals]);

function refusalsOf(responses: DescribedOperation['responses']): Html {
  const codes = Object.values(responses).flatMap(({ $ref, content }) => {
    const own = Object.keys(content?.['application/json']?.examples ?? {});
    return $ref?.endsWith('/NotFound') ? ['NOT_FOUND'] : own;
  });
  const known = codes.filter((each): each is ErrorCode => each in errorTable && !everywhere.has(each));
  return known.length === 0 ? nothing : markup`<h3>Refusals</h3>${errorList(known)}`;
}

/** What each code means and what to do about it. */
export function errorList(codes: readonly ErrorCode[]): Html {
  const entries = codes.map((each) => {
    const { status, meaning, action } = errorTable[each];
    return markup`<dt><code>${status} ${each}</code></dt><dd>${inline(`${meaning} ${action}`)}</dd>`;
  });
  return markup`<dl>${entries}</dl>`;
}

/** What is wider than a phone can be moved by keyboard too. @param language of an example that stands in several */
export function code(text: string, language?: 'sh' | 'ts' | 'py'): Html {
  const name = language === undefined ? nothing : markup` class="language-${language}"`;
  return markup`<pre tabindex="0"${name}>${text}</pre>`;
}
