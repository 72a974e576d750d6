import type { ClientDescription } from '../client-descriptions.ts';
import { documented, pythonName, pythonText } from './text.ts';
import { literalOf, nameOf, referencesFrom, typeOf, type Json, type Schemas } from './types.ts';

/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access,
   typescript/no-unsafe-argument, typescript/no-unsafe-call, typescript/no-unsafe-return */

/** The module of a contract's records: classes for answers, TypedDicts for what calls take. */
export function modelsModule(contract: string, heading: string, { document, openEnums }: ClientDescription): string {
  const described = document as Json;
  const schemas: Schemas = described.components.schemas;
  const operations = Object.values<Json>(described.paths).flatMap((path) => Object.values<Json>(path));
  const bodies = operations.flatMap(({ requestBody }) => requestBody?.content['application/json']?.schema ?? []);
  const isNamed = (name: string) => schemas[name].properties !== undefined || schemas[name].enum !== undefined;
  const queries = operations.flatMap(({ parameters }) => parameters ?? []);
  const answers = [operations.map(({ responses }) => responses), schemas['WebhookEvent']];
  const answered = [...referencesFrom(schemas, answers)].filter(isNamed);
  const bodyNames = new Set(bodies.flatMap((schema) => formsOf(schema, schemas)).map(({ title }) => title));
  const asked = [...referencesFrom(schemas, [bodies, queries])]
    .filter(isNamed)
    .filter((name) => !answered.includes(name) && !bodyNames.has(name));
  const events: string[] = schemas['WebhookEvent'].oneOf.map(({ $ref }: Json) => nameOf($ref));
  const enums = [...answered, ...asked].filter((name) => schemas[name].enum !== undefined);
  const records = inOrder(answered, schemas).flatMap((name) => recordLines(name, schemas, events.includes(name)));
  const readers = ['either', 'many', 'one'].filter((name) => records.some((line) => line.includes(`${name}(`)));
  const lines = [
    heading,
    ...documented(`Records of contract ${contract}.`, ''),
    '',
    'from __future__ import annotations',
    '',
    'from collections.abc import Mapping, Sequence',
    'from dataclasses import dataclass, field',
    'from typing import ClassVar, Final, Literal, NotRequired, TypeAlias, TypedDict',
    '',
    `from .._core.record import ${['EventRecord', 'Json', 'Record', 'UnknownEvent', ...readers].join(', ')}`,
    '',
    ...enums.flatMap((name) => enumLines(name, schemas[name], openEnums.includes(name))),
    ...asked.filter((name) => !enums.includes(name)).flatMap((name) => dictLines(name, schemas)),
    ...records,
    '',
    `VerifiedEvent: TypeAlias = (\n    ${[...events, 'UnknownEvent'].join('\n    | ')}\n)`,
    ...documented('An event: its class says which one, and so does `event`.', ''),
    '',
    'EVENT_CLASSES: Final[Mapping[str, type[VerifiedEvent]]] = {',
    ...events.map((name) => `    ${pythonText(schemas[name].properties.event.const)}: ${name},`),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

/** The object schemas that a body is one of. */
export function formsOf(schema: Json, schemas: Schemas): Json[] {
  if (schema.$ref !== undefined) return formsOf(schemas[nameOf(schema.$ref)], schemas);
  const forms: Json[] | undefined = schema.anyOf ?? schema.oneOf;
  return forms === undefined ? [schema] : forms.flatMap((form) => formsOf(form, schemas));
}

function enumLines(name: string, schema: Json, isOpen: boolean): string[] {
  const lines = [`${name}: TypeAlias = ${literalOf(schema.enum, !isOpen)}`];
  return [...lines, ...(schema.description === undefined ? [] : documented(schema.description, '')), ''];
}

function dictLines(name: string, schemas: Schemas): string[] {
  const schema = schemas[name];
  const members = Object.entries<Json>(schema.properties).flatMap(([member, of]) => {
    const { type } = typeOf(of, schemas, true);
    const isRequired = schema.required?.includes(member) ?? false;
    const comment = descriptionOf(of, schemas);
    return [`    ${member}: ${isRequired ? type : `NotRequired[${type}]`}`, ...comment];
  });
  return ['', `class ${name}(TypedDict):`, ...documented(schema.description ?? name, '    '), '', ...members, ''];
}

function recordLines(name: string, schemas: Schemas, isEvent: boolean): string[] {
  const schema = schemas[name];
  if (schema.enum !== undefined) return [];
  const nested: string[] = [];
  const names: string[] = [];
  const members = Object.entries<Json>(schema.properties).flatMap(([member, of]) => {
    const { type, read } = typeOf(of, schemas, false);
    const python = pythonName(member);
    if (read !== undefined) nested.push(`${pythonText(python)}: ${read}`);
    if (python !== member) names.push(`${pythonText(member)}: ${pythonText(python)}`);
    const isRequired = schema.required?.includes(member) ?? false;
    const optional = type.endsWith('None') ? type : `${type} | None`;
    // What an answer shows once is not shown again in logs.
    const hidden = member.includes('secret') && type.startsWith('str');
    const given = hidden ? ` = field(${isRequired ? '' : 'default=None, '}repr=False)` : isRequired ? '' : ' = None';
    return [`    ${python}: ${isRequired ? type : optional}${given}`, ...descriptionOf(of, schemas)];
  });
  const tables = [
    ...(names.length === 0 ? [] : [`    _names: ClassVar = {${names.join(', ')}}`]),
    ...(nested.length === 0 ? [] : [`    _nested: ClassVar = {${nested.join(', ')}}`]),
  ];
  return [
    ...['', '@dataclass(frozen=True, slots=True, kw_only=True)'],
    `class ${name}(${isEvent ? 'EventRecord' : 'Record'}):`,
    ...documented(schema.description ?? name, '    '),
    ...['', ...members, ...(tables.length === 0 ? [] : ['', ...tables]), ''],
  ];
}

function descriptionOf(schema: Json, schemas: Schemas): string[] {
  const text: string | undefined = schema.description ?? schemas[nameOf(schema.$ref ?? '')]?.description;
  return text === undefined ? [] : documented(text, '    ');
}

/** Records after those that they hold. */
function inOrder(names: readonly string[], schemas: Schemas): string[] {
  const ordered = new Set<string>();
  const visit = (name: string): void => {
    if (ordered.has(name)) return;
    for (const inner of referencesFrom(schemas, schemas[name])) if (inner !== name) visit(inner);
    if (names.includes(name)) ordered.add(name);
  };
  names.forEach(visit);
  return [...ordered];
}
