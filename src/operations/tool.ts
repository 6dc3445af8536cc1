import * as field from '../catalog/fields.ts';
import { operation } from '../catalog/operation.ts';
import type { Directory } from '../directory/directory.ts';
import { listingAnswer } from './tool-answer.ts';

/** One listing of the directory; unknown and withdrawn ones are not found. */
export default function tool(directory: Directory) {
  const [first] = directory.listings;
  if (first === undefined) throw new Error('The directory is empty');
  return operation({
    name: 'tool',
    operationId: 'getTool',
    title: 'One listing of the directory',
    summary: 'One checked free tool',
    description:
      'Free. One listing of the directory: what the free use allows, the vendor’s words with their source and the day they were read, and caveats.',
    route: { method: 'GET', path: '/v1/tools/{id}' },
    tool: false,
    page: {
      path: '/tools/{id}',
      heading: 'One checked free tool',
      summary: 'What is free, in the vendor’s words, with their source and the day they were read.',
      lead: '',
    },
    price: null,
    input: {
      id: field.text({
        describe: 'Id of the listing, as GET /v1/tools gives it.',
        maxCodePoints: 80,
        example: first.id,
      }),
    },
    output: listingAnswer,
    example: { id: first.id },
    cacheable: true,
    run: ({ id }) => {
      const listing = directory.find(id);
      return listing === null
        ? {
            kind: 'not_found',
            detail: 'No listing has this id, or it was withdrawn. GET /v1/tools lists all.',
          }
        : { kind: 'answer', body: listing };
    },
  });
}
