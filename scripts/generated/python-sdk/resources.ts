import type { ClientDescription } from '../client-descriptions.ts';
import { isListed, methodOf, refuseSurplus, resources, type Method } from './methods.ts';
import { bodyOf, queryOf, type Described, type Parameter } from './parameters.ts';
import { documented, documentedIn, pythonName, pythonText, signatureLines } from './text.ts';
import { nameOf, type Json } from './types.ts';
import { waitingMethods } from './waiting.ts';

/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access,
   typescript/no-unsafe-argument, typescript/no-unsafe-return */

/** The module of a contract's asynchronous client: a class for each of its attributes, and the client. */
export function clientModule(contract: string, heading: string, { document, operations }: ClientDescription): string {
  const { paths, components } = document as Json;
  const described = operations.map(({ id, path, method }): Described => ({
    id,
    method: methodOf(id),
    operation: paths[path][method.toLowerCase()],
    schemas: components.schemas,
  }));
  refuseSurplus(new Set(operations.map(({ id }) => id)));
  const attributes = Object.keys(resources).filter((name) => !name.includes('.'));
  const lines = [
    heading,
    ...documented(`The asynchronous client of contract ${contract}.`, ''),
    '',
    'from __future__ import annotations',
    '',
    'from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence',
    'from datetime import datetime',
    'from typing import ClassVar, Literal',
    '',
    'from .._async.client import AsyncGatewayBase',
    'from .._async.pages import AsyncPages',
    'from .._async.requester import AsyncRequester, Recovery',
    'from .._core.addresses import given_or_nothing',
    'from .._core.answer import bytes_of, creating, nothing_of, reading, text_of',
    'from .._core.clock_async import sleep',
    'from .._core.options import UNSET, CreateAndWaitOptions, CreateOptions, Options, Unset, WaitOptions',
    'from .._core.waiting import Waiting',
    'from .._errors import UnknownOutcome',
    'from . import models as m',
    '',
    ...Object.keys(resources).flatMap((name) => resourceLines(name, described)),
    '',
    '',
    'class AsyncGateway(AsyncGatewayBase):',
    ...documentedIn(
      [
        `A client of the gateway by contract ${contract}. One for a process is enough: it holds a pool of connections.`,
        'It is a context manager that closes them.',
      ],
      '    ',
    ),
    '',
    `    api_version: ClassVar[str] = ${pythonText(contract)}`,
    '',
    '    def _bind(self, requester: AsyncRequester) -> None:',
    ...attributes.map(
      (name) => `        self.${name}: Async${resources[name]?.[0]} = Async${resources[name]?.[0]}(requester)`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function resourceLines(name: string, described: readonly Described[]): string[] {
  const [className, purpose] = resources[name] ?? ['', ''];
  const own = described.filter(({ method }) => method.at.slice(0, method.at.lastIndexOf('.')) === name);
  const inner = Object.keys(resources).filter((each) => each.startsWith(`${name}.`));
  const bound = inner.map(
    (each) =>
      `        self.${each.slice(name.length + 1)}: Async${resources[each]?.[0]} = Async${resources[each]?.[0]}(requester)`,
  );
  return [
    ...['', '', `class Async${className}:`, ...documented(purpose, '    '), ''],
    '    def __init__(self, requester: AsyncRequester) -> None:',
    '        self._requester = requester',
    ...bound,
    ...own.flatMap((each) => methodLines(each)),
    ...waitingMethods(name, own.length === 0 ? [] : payloadOf(own, name)),
  ];
}

/** The parameters with which a payout is created, for the method that waits for it. */
function payloadOf(own: readonly Described[], name: string): readonly Parameter[] {
  const creation = name === 'payouts' ? own.find(({ id }) => id === 'createPayout') : undefined;
  return creation === undefined ? [] : bodyOf(creation);
}

function methodLines(described: Described): string[] {
  const { id, method, operation } = described;
  if (method.streams !== undefined) return streamLines(described, method.streams);
  const name = method.at.slice(method.at.lastIndexOf('.') + 1);
  const body = bodyOf(described);
  const query = queryOf(described);
  const isList = isListed(method);
  const isCreation = body.some((each) => each.name === 'external_id');
  const options = isCreation ? 'CreateOptions' : 'Options';
  const isForm = operation.requestBody?.content['multipart/form-data'] !== undefined;
  const ids = method.ids ?? [];
  const answer = answerOf(described);
  const parameters = [
    ...ids.map((each) => `${each}: str`),
    '*',
    ...(isForm ? ['file: bytes', 'name: str'] : []),
    ...signatureOf([...body, ...query]),
    `options: ${options} | None = None`,
  ];
  const call = [
    pythonText(id),
    ...(isList ? [`m.${answer}`] : [readerOf(described, answer, body)]),
    ...(ids.length === 0 ? [] : [`ids=(${ids.join(', ')},)`]),
    ...(query.length === 0 ? [] : ['query=query']),
    ...(body.length === 0
      ? []
      : [`body=${operation.requestBody.required === true ? 'body' : 'given_or_nothing(body)'}`]),
    ...(isForm ? ['file=(name, file)'] : []),
    ...(method.as === undefined ? [] : [`accept=${pythonText(method.as[1])}`]),
    ...recoveryOf(method),
    ...(method.onceWithAmount === true ? [onceWith(body)] : []),
    'options=options',
  ];
  const type = isList
    ? `AsyncPages[m.${answer}]`
    : answer === 'None' || method.as !== undefined
      ? answer
      : `m.${answer}`;
  const summary = `${operation.summary}.${method.note === undefined ? '' : ` ${method.note}`}`;
  const about = [...body, ...query].map((each) => `${pythonName(each.name)}: ${each.description}`);
  const lines = [
    '',
    ...signatureLines(`${isList ? '' : 'async '}def ${name}`, parameters, type),
    ...documentedIn([summary, ...about], '        '),
    ...membersOf('body', body),
    ...membersOf('query', query),
    `        return ${isList ? '' : 'await '}self._requester.${isList ? 'list' : 'call'}(${call.join(', ')})`,
  ];
  return id === 'listTransactions' ? [...lines, ...csvLines(query)] : lines;
}

/** An amount has a name of its own in each contract. */
function onceWith(body: readonly Parameter[]): string {
  const amount = body.find(({ name }) => name === 'amount' || name === 'amount_cents');
  if (amount === undefined) throw new Error('the body has no amount');
  return `repeat="never" if isinstance(${amount.name}, int) else None`;
}

const onPlace =
  'on_place: Hears the id up to which the stream has looked where no event says it. Keep it as that of an event: with a ' +
  'filter that takes few events the last of them may be older than the log.';

/** A walk over what comes; where it begins is not of the query, since each connection begins where the last one ended. */
function streamLines(described: Described, record: string): string[] {
  const { id, method, operation } = described;
  const query = queryOf(described);
  const summary = `${operation.summary}.${method.note === undefined ? '' : ` ${method.note}`}`;
  return [
    '',
    ...signatureLines(
      `def ${method.at.slice(method.at.lastIndexOf('.') + 1)}`,
      ['*', ...signatureOf(query), 'on_place: Callable[[str], object] | None = None', 'options: Options | None = None'],
      `AsyncGenerator[m.${record}, None]`,
    ),
    ...documentedIn(
      [summary, ...query.map((each) => `${pythonName(each.name)}: ${each.description}`), onPlace],
      '        ',
    ),
    ...membersOf(
      'query',
      query.filter(({ name }) => name !== 'after'),
    ),
    '        return self._requester.follow(',
    `            ${pythonText(id)}, m.${record}, query=query, after=after, on_place=on_place, options=options`,
    '        )',
  ];
}

function csvLines(query: readonly Parameter[]): string[] {
  return [
    '',
    ...signatureLines(
      'def csv',
      ['*', ...signatureOf(query), 'options: Options | None = None'],
      'AsyncIterator[bytes]',
    ),
    ...documented('The same entries as CSV: of any length, read while it comes.', '        '),
    ...membersOf('query', query),
    '        return self._requester.stream("listTransactions", query, "text/csv", options)',
  ];
}

function membersOf(name: string, parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return [];
  const members = parameters.map((each) => `            ${pythonText(each.name)}: ${pythonName(each.name)},`);
  return [`        ${name}: Mapping[str, object] = {`, ...members, '        }'];
}

function signatureOf(parameters: readonly Parameter[]): string[] {
  const written = ({ name, type, isRequired }: Parameter) =>
    `${pythonName(name)}: ${type}${isRequired ? '' : ' | Unset = UNSET'}`;
  return [...parameters.filter((each) => each.isRequired), ...parameters.filter((each) => !each.isRequired)].map(
    written,
  );
}

function readerOf({ method, schemas }: Described, answer: string, body: readonly Parameter[]): string {
  if (method.as !== undefined) return `${method.as[0]}_of`;
  if (answer === 'None') return 'nothing_of';
  if (schemas[answer] === undefined) throw new Error(`${method.at} answers with ${answer}, which has no name`);
  const unwrap = method.unwrap === undefined ? '' : `, ${pythonText(method.unwrap)}`;
  if (!body.some(({ name }) => name === 'external_id')) return `reading(m.${answer}${unwrap})`;
  const compared = (method.compared ?? []).map((id) => `, ${pythonText(id)}: ${id}`).join('');
  return `creating(m.${answer}, ${compared === '' ? 'body' : `{**body${compared}}`}, options${unwrap})`;
}

function recoveryOf({ recovery, unwrap }: Method): string[] {
  if (recovery === undefined) return [];
  if (recovery === 'gone') return ['recovery=Recovery(gone=True)'];
  const inside = unwrap === undefined ? '' : `, unwrap=${pythonText(unwrap)}`;
  return [`recovery=Recovery(read=${pythonText(recovery.read)}, states=${recovery.states}${inside})`];
}

/** The name of the record, of the record of a list, or what is read that is no JSON. */
function answerOf({ method, operation, schemas }: Described): string {
  if (method.as !== undefined) return method.as[0] === 'text' ? 'str' : 'bytes';
  if (method.item !== undefined) return method.item;
  const schema = Object.values<Json>(operation.responses)
    .map((response) => response.content?.['application/json']?.schema)
    .find((each) => each !== undefined);
  if (schema === undefined) return 'None';
  const properties = schemas[nameOf(schema.$ref)].properties;
  if (isListed(method)) return nameOf(properties.data.items.$ref);
  return nameOf(method.unwrap === undefined ? schema.$ref : properties[method.unwrap].$ref);
}
