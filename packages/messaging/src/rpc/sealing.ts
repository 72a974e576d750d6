import { z } from 'zod';
import type { RpcContract } from '@gateway/contracts/messages';
import type { SecretBox } from '@gateway/runtime';

const sealedSchema = z.object({ sealed: z.string() });

type Part = 'request' | 'reply';

/** What goes on the bus in the place of a request or a reply: itself, or sealed for this question and part alone. */
export function outgoing(contract: RpcContract, part: Part, content: unknown, secrets: SecretBox | undefined): unknown {
  if (!contract.sealed) return content;
  return { sealed: keyOf(contract, secrets).seal(JSON.stringify(content), ownerOf(contract, part)) };
}

/** @throws Error when it was not sealed under a key of ours, or for something else */
export function incoming(contract: RpcContract, part: Part, content: unknown, secrets: SecretBox | undefined): unknown {
  if (!contract.sealed) return content;
  const { sealed } = sealedSchema.parse(content);
  return JSON.parse(keyOf(contract, secrets).open(sealed, ownerOf(contract, part)));
}

function ownerOf({ subject }: RpcContract, part: Part): string {
  return `${part} of ${subject}`;
}

function keyOf({ subject }: RpcContract, secrets: SecretBox | undefined): SecretBox {
  if (!secrets) throw new Error(`${subject} is sealed, and this process has no key for it`);
  return secrets;
}
