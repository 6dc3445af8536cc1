import { networkName, type Site } from '../site.ts';
import type { Page } from './content.ts';
import { priceBlocks } from './home.tsx';

/** What people pay, with what, and what happens when something goes wrong. */
export function pricesPage(site: Site): Page {
  const network = networkName(site.terms);
  return {
    path: '/pricing',
    title: 'Prices',
    description:
      'The calculators and the directory are free; a letter, three options or a report cost cents.',
    blocks: [
      ...priceBlocks(site),
      { heading: 'How paying works', id: 'how' },
      {
        steps: [
          'Fill in the form. What is wrong is said before there is any talk of money.',
          'The page shows the price. It is the one in the table above, and there is nothing on top: the fee of the network is ours.',
          `Your wallet shows the payment, in USDC on ${network}, and asks you to sign it. What you sign is good for this one payment alone.`,
          'The document is there: copy it, print it, keep it.',
        ],
      },
      { heading: 'Without a wallet', id: 'assistant' },
      {
        text: [
          'An assistant that can pay for itself can buy the same documents: tell it this address. What it needs to know is said ',
          { link: 'for developers and agents', href: '/developers' },
          '.',
        ],
      },
      { heading: 'When something goes wrong', id: 'wrong' },
      {
        list: [
          'A form with a fault in it charges nothing.',
          'When the document cannot be made, nothing is charged.',
          'When a reply is lost, the page asks again with the same payment: that costs nothing more.',
        ],
      },
      {
        text: [
          'What was agreed is in the ',
          { link: 'terms', href: '/terms' },
          '; what we see of you is in the ',
          { link: 'privacy notice', href: '/privacy' },
          '.',
        ],
      },
    ],
  };
}
