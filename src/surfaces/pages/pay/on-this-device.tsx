import type { VNode } from 'preact';
import { networkName, type Site } from '../../site.ts';
import { islandScripts } from '../assets.ts';
import type { Page } from '../content.ts';
import { htmlDocument, JsonData, jsonInHtml } from '../html.tsx';
import { DeviceList, type DeviceShop } from './device-list.tsx';

const PATH = '/on-this-device';

const page: Page = {
  path: PATH,
  title: 'On this device',
  description: 'Your quotes, letters and purchases, stored in this browser.',
  blocks: [{ text: 'Your quotes, letters and purchases are stored in your browser and nowhere else.' }],
};

/** The page that lists what the browser keeps. It requires a script, because the server does not have this data. */
export const onThisDevice = (site: Site) => ({
  path: PATH,
  page: () => page,
  html: (): string => {
    const shop: DeviceShop = {
      prices: Object.fromEntries(
        site.operations.flatMap(({ name, price }) => (price === null ? [] : [[name, price.usd]])),
      ),
      network: networkName(site.terms),
      isPlayMoney: site.playMoneyKey !== null,
    };
    const body: VNode = (
      <>
        <noscript>
          <p class="note">This list needs JavaScript, which is turned off in your browser.</p>
        </noscript>
        <p id="status" class="hidden" role="status"></p>
        <div id="device">
          <DeviceList drafts={[]} purchases={[]} open={null} isDeleting={false} isEmpty={false} acts={null} />
        </div>
        <JsonData id="device-data" json={jsonInHtml(shop)} />
      </>
    );
    return htmlDocument(page, site, body, {
      scripts: islandScripts('on-this-device'),
      styles: ['/documents.css', '/pay.css'],
    });
  },
});
