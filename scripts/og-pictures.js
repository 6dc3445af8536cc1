// Draws the pictures that stand for pages where they are linked (src/surfaces/pages/assets/og), from real answers and with
// the views of the pages. After a change of either: npm run build && node scripts/og-pictures.js
import './node-version.js';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fetchTool } from './tool.js';

const FOLDER = 'src/surfaces/pages/assets/og';
const built = (path) => import(pathToFileURL(join('dist', path)).href);
const browserTool = join(fetchTool('browser'), 'node_modules/playwright-core/index.mjs');
const { chromium } = await import(pathToFileURL(browserTool).href);
const [data, { buildDirectory }, files, { createCatalog }, { validate }, { parseDay }] = await Promise.all([
  built('directory/data.js'),
  built('directory/directory.js'),
  Promise.all([
    built('directory/listing.js'),
    built('directory/categories.js'),
    built('directory/shelves.js'),
  ]),
  built('operations/catalog.js'),
  built('exchange/validate.js'),
  built('domain/calendar.js'),
]);
const { Blocks } = await built('surfaces/pages/blocks.js');
const { feePicture, mapPicture, optionsPicture } = await built('surfaces/pages/views/pictures.js');

const [{ ListingFileSchema }, { CategoriesFileSchema }, { ShelvesFileSchema }] = files;
const served = data.readServed(data.servedFolder());
const read = (schema, { text }) => schema.parse(JSON.parse(text));
const directory = buildDirectory(
  served.listings.map((file) => read(ListingFileSchema, file)),
  read(CategoriesFileSchema, served.categories),
  read(ShelvesFileSchema, served.shelves),
);
const catalog = createCatalog(directory);
const context = { today: parseDay('2026-11-21') };
const answerOf = (wanted, values = {}) => {
  const operation = catalog.find(({ name }) => name === wanted);
  const asked = { values: { ...operation.example, ...values }, faults: [] };
  return operation.run(validate(operation, asked, context).input, context).body;
};

const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const drawn = (blocks) => String(Blocks({ blocks }));
const fee = answerOf('late_fee', { currency: 'GBP' });
const quote = answerOf('quote_totals');
const letter = answerOf('late_fee_notice');
const pack = answerOf('quote_pack');
const report = answerOf('small_business_stack_report');
const paper = (text) => `<div class="paper">${escaped(text).replaceAll('\n', '<br>')}</div>`;
const rows = (pairs) =>
  `<table>${pairs.map(([what, value]) => `<tr><td>${escaped(what)}<td class="n">${escaped(value)}`).join('')}</table>`;
const pounds = (value) => `£${value.toLocaleString('en-GB', { minimumFractionDigits: 2 })}`;

/** Name of the file, what it says, and what it shows. */
const pictures = [
  [
    'home',
    'Late fees, quotes, letters, free software',
    `<p class="big">${pounds(fee.total_due)}</p>${drawn(feePicture(fee))}`,
  ],
  [
    'late-fee',
    'What is that late invoice worth today?',
    `<p class="big">${pounds(fee.late_fee)} late fee</p>${drawn(feePicture(fee))}`,
  ],
  [
    'quote',
    'A quote, exact to the cent',
    rows([
      ...quote.items.map(({ description, quantity, unit_price, line_total }) => [
        `${description}: ${quantity} × ${unit_price}`,
        line_total.toFixed(2),
      ]),
      ['Discount', quote.formatted.discount_amount],
      ['Tax', quote.formatted.tax_amount],
      ['Total', quote.formatted.total],
    ]),
  ],
  ['letter', 'A reminder letter, ready to send', paper(letter.reminder.body)],
  ['options', 'One list of lines, three options', drawn(optionsPicture(pack))],
  [
    'report',
    'What is free for your business',
    drawn(mapPicture({ ...report, picks: report.picks.slice(0, 8) })),
  ],
  [
    'tools',
    `${directory.listings.length} free tools, by the vendors’ words`,
    rows(
      ['loyverse', 'brevo', 'calendly', 'canva-free', 'bitwarden-free'].map((id) => {
        const { name, free_limits } = directory.find(id);
        return [name, free_limits];
      }),
    ),
  ],
  [
    'developers',
    'Answers that programs can pay for',
    `<pre>POST /v1/quote-pack\n402 Payment Required\n    USD 0.05 in USDC\n\nPOST /v1/quote-pack\nPAYMENT-SIGNATURE: …\n200 OK</pre>`,
  ],
];

const style = `
  body{margin:0;width:1200px;height:630px;box-sizing:border-box;padding:36px 64px;overflow:hidden;background:#faf8f3;color:#1c1b19;font:26px/1.5 "DejaVu Sans",sans-serif;border-top:14px solid #14603a}
  h1{font:600 50px/1.15 "DejaVu Serif",serif;margin:14px 0 26px;white-space:nowrap}
  .name{margin:0;font:600 28px "DejaVu Serif",serif;color:#14603a}
  .big+.picture{height:320px;margin-top:-6px}.big{font:600 72px/1 "DejaVu Serif",serif;margin:0 0 8px}
  .picture{height:400px;width:auto;max-width:1070px;display:block}
  text{fill:#1c1b19;font-size:14px}.small{fill:#5d594f;font-size:12.5px}.big.big{font-size:70px}text.big.big{font-size:19px}.on{fill:#fff}
  .axis{stroke:#827d6f;fill:none}.when{stroke:#1c1b19;stroke-dasharray:3 3}.curve{stroke:#14603a;stroke-width:2.5;fill:none}
  .ahead{stroke-dasharray:1 6;stroke-linecap:round}.area{fill:#eaf3ec}.filled,.spot{fill:#14603a}.pale{fill:#eaf3ec;stroke:#ddd7ca}.sheet{fill:#fff;stroke:#ddd7ca}
  .paper{background:#fff;border:1px solid #d8d3c6;padding:24px 36px;height:380px;overflow:hidden;font:24px/1.45 "DejaVu Serif",serif}
  table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}td{padding:11px 0;border-bottom:1px solid #ddd7ca}.n{text-align:right}
  pre{font:28px/1.45 "DejaVu Sans Mono",monospace;margin:0}`;

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  for (const [name, title, shown] of pictures) {
    await page.setContent(
      `<!doctype html><style>${style}</style><p class="name">Small-Business Calculator</p><h1>${escaped(title)}</h1>${shown}`,
    );
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  }
} finally {
  await browser.close();
}
