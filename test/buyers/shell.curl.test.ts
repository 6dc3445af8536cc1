import { it } from 'vitest';
import { expectNotice, publishedPrograms, readersFolder, removed, sharedShop } from './bench.ts';

const shop = sharedShop();

it('curl buys the notice with the small signer', async () => {
  const { 'buy.sh': program = '', 'sign.mjs': signer = '' } = await publishedPrograms(shop());
  const folder = readersFolder({ 'buy.sh': program, 'sign.mjs': signer });
  try {
    await expectNotice(shop(), { command: 'sh', args: ['buy.sh'], folder });
  } finally {
    removed(folder);
  }
});
