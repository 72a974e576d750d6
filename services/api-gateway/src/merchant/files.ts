import { fileResourceSchema } from '@gateway/public-api';
import { receiveFile, uploadBytesMax } from '#src/files/receive-file.ts';
import { fileAnswer, fileMedia } from '#src/files/file-answer.ts';
import { contentOf, findFile, storeFile } from '#src/files/stored-files.ts';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';

export const fileEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/files',
    group: 'disputes',
    operation: 'createFile',
    summary: 'Store a file that evidence can name',
    description:
      'The body is a form (`multipart/form-data`) with one member, `file`: a PDF, PNG or JPEG file of up to 5 MiB, by its ' +
      'content. A file that is cut off, carries something else, runs something or is encrypted is 400 with the reason; a ' +
      'larger one is 413. It never changes, and is dropped after seven days in which no evidence has named it.',
    upload: { bytesMax: uploadBytesMax, form: true },
    refusals: ['LIMIT_REACHED'],
    answers: { 201: fileResourceSchema },
    leadsTo: { getFile: '/id' },
    handle: async (call, { database }) => {
      const owner = ownerOf(call);
      const received = await receiveFile(call.upload, { contentType: call.uploadType, holder: owner.accountId });
      return { status: 201, body: await storeFile(database, owner, received, new Date()) };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/files/:id',
    group: 'disputes',
    operation: 'getFile',
    summary: 'Read what a stored file is',
    description: 'Answers with its name, type, size and SHA-256. Whether a provider has it stands in the dispute.',
    answers: { 200: fileResourceSchema },
    handle: async (call, { database }) => ({
      status: 200,
      body: await findFile(database, ownerOf(call), idIn(call, 'file')),
    }),
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/files/:id/content',
    group: 'disputes',
    operation: 'getFileContent',
    summary: 'Read the content of a stored file',
    description: 'Answers with the bytes as they were stored, as an attachment.',
    answers: { 200: null },
    otherMedia: fileMedia,
    handle: async (call, { database }) => {
      const id = idIn(call, 'file');
      return fileAnswer(id, await contentOf(database, ownerOf(call), id));
    },
  }),
];
