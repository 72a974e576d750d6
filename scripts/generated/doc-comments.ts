import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot, typeScriptFiles } from '../checks/repository.ts';

const documentedConstant = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*export const (\w+)/g;

/** The doc comment of every exported constant below the folder, on one line, by the constant's name. */
export async function docComments(folder: string): Promise<ReadonlyMap<string, string>> {
  const comments = new Map<string, string>();
  for (const file of await typeScriptFiles([folder])) {
    const source = await readFile(join(repositoryRoot, file), 'utf8');
    for (const [, comment = '', name = ''] of source.matchAll(documentedConstant)) {
      comments.set(name, comment.replaceAll(/\s*\n\s*\*? ?/g, ' ').trim());
    }
  }
  return comments;
}
