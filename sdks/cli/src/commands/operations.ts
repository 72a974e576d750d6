import { type Command, globalOptions, type Option } from '../command/command.ts';
import type { DescribedMember, DescribedOperation } from '../description/operation.ts';
import { operations } from '../generated/operations.ts';
import { flagNameOf, isAmount } from '../operations/body.ts';
import { callOperation } from '../operations/call.ts';
import { drawnDeposit } from '../operations/drawn-deposit.ts';
import { fileOption, storedFile } from '../operations/stored-file.ts';
import { type OperationId, wordsOfOperations } from '../operations/words.ts';

const bodyOptions: Readonly<Record<string, Option>> = {
  data: { type: 'string', short: 'd', hint: '@FILE|-|JSON', about: 'The body, to which flags add.' },
  set: {
    type: 'string',
    multiple: true,
    hint: 'PATH=VALUE',
    about: 'A member of the body, such as metadata.cart=7. Repeatable.',
  },
};

const listOptions: Readonly<Record<string, Option>> = {
  all: { type: 'boolean', about: 'Every page.' },
  csv: { type: 'boolean', about: 'The whole list as CSV, as the gateway writes it.' },
};

const qrOption: Readonly<Record<string, Option>> = {
  qr: { type: 'boolean', about: 'Draws the code in the terminal, on standard error.' },
};

/** What the API says of its own amounts. The command line takes them as people write them. */
const inMinorUnits = /, in the smallest unit(?=\.)/;

/** A row for each operation of the API. */
export const operationCommands: readonly Command[] = Object.entries(operations).map(([id, operation]) =>
  rowOf(id as OperationId, operation),
);

function rowOf(id: OperationId, operation: DescribedOperation): Command {
  const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name.replace('deliveryId', 'delivery'));
  const isDrawn = id === 'createDeposit' || id === 'getDeposit';
  return {
    words: wordsOfOperations[id].split(' '),
    ids,
    group: operation.path.startsWith('/v1/test/') ? 'Test mode' : 'Operations',
    summary: operation.summary,
    details: `\`${id}\`, ${operation.method} ${operation.path}.`,
    options: {
      ...optionsOf(operation.query),
      ...(operation.body === undefined ? {} : { ...optionsOf(operation.body), ...bodyOptions }),
      ...(operation.answer === 'list' ? listOptions : {}),
      ...(isDrawn ? qrOption : {}),
      ...(id === 'createFile' ? fileOption : {}),
    },
    run: async ({ session, ids: given, flags }) => {
      const call = { id, operation, ids: given, flags };
      if (id === 'createFile') await storedFile(session, flags);
      else if (isDrawn && flags['qr'] === true) await drawnDeposit(session, call);
      else await callOperation(session, call);
    },
  };
}

function optionsOf(members: readonly DescribedMember[]): Record<string, Option> {
  // What a flag of every command hides is set by --set.
  const named = members.filter(({ name, type }) => type !== 'object' && !(flagNameOf(name) in globalOptions));
  const options = Object.fromEntries(named.map((member) => [flagNameOf(member.name), optionOf(member)]));
  // In reais or pesos, beside cents.
  if ('amount-cents' in options) options['amount'] = optionOf({ name: 'amount', type: 'number', about: 'The amount.' });
  return options;
}

function optionOf({ name, type, values, about }: DescribedMember): Option {
  const hint = isAmount(name) ? '100.50' : type === 'number' ? 'NUMBER' : 'TEXT';
  const offered = type === 'boolean' ? ['true', 'false'] : values;
  return {
    type: 'string',
    ...(type === 'list' ? { multiple: true as const } : {}),
    ...(offered === undefined ? { hint } : { values: offered }),
    about: isAmount(name) ? `${about.replace(inMinorUnits, '')} Typed as 100.50.` : about,
  };
}
