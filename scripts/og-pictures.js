// Draws the link preview pictures for pages and the README (src/surfaces/pages/assets/og) from real answers, with the
// views of the pages. After a change of either, run: npm run build && node scripts/og-pictures.js
import './node-version.js';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { launchChromium } from './browser.js';
import { optionsOf } from './options.js';

optionsOf('Usage: node scripts/og-pictures.js\nDraws the link preview pictures of the pages.');
const FOLDER = 'src/surfaces/pages/assets/og';
const built = (path) => import(pathToFileURL(join('dist', path)).href);
const [{ loadDirectory }, { createCatalog }, { validate }, { parseDay }] = await Promise.all([
  built('directory/load.js'),
  built('operations/catalog.js'),
  built('exchange/validate.js'),
  built('domain/calendar.js'),
]);
const { Blocks } = await built('surfaces/pages/blocks.js');
const { feePicture, optionsPicture } = await built('surfaces/pages/views/pictures.js');
const { amountText, longDay, priceText } = await built('surfaces/pages/views/format.js');

const directory = loadDirectory();
const catalog = createCatalog(directory);
const context = { today: parseDay('2026-11-21') };
const answerOf = (wanted, values = {}) => {
  const operation = catalog.find(({ name }) => name === wanted);
  const asked = { values: { ...operation.example, ...values }, faults: [] };
  return operation.run(validate(operation, asked, context).input, context).body;
};

const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const drawn = (blocks) => renderToString(h(Blocks, { blocks }));
const fee = answerOf('late_fee', { currency: 'GBP' });
const quote = answerOf('quote_totals');
const letter = answerOf('late_fee_notice');
const pack = answerOf('quote_pack');
const report = answerOf('small_business_stack_report');
const paper = (text) => `<div class="paper">${escaped(text).replaceAll('\n', '<br>')}</div>`;
const rows = (pairs) =>
  `<table>${pairs.map(([what, value, more]) => `<tr><td>${escaped(what)}<td class="n">${escaped(value)}${more ? `<small>${escaped(more)}</small>` : ''}`).join('')}</table>`;
const figure = (label, value) => `<p class="label">${label}</p><p class="big">${value}</p>`;
const pounds = (value) => amountText(value, fee.currency);
const dollars = (value) => amountText(value, quote.currency);

/** The file name, the text and the content of each picture. */
const pictures = [
  [
    'home',
    'Late fees, quotes, letters, free software',
    `${figure(`To be paid on ${longDay(fee.paid_date)}`, pounds(fee.total_due))}${drawn(feePicture(fee))}`,
  ],
  [
    'late-fee',
    'What is that late invoice worth today?',
    `${figure(`Late fee, ${fee.days_late} days late`, pounds(fee.late_fee))}${drawn(feePicture(fee))}`,
  ],
  [
    'quote',
    'A quote, exact to the cent',
    rows([
      ...quote.items.map(({ description, quantity, unit_price, line_total }) => [
        `${description}: ${quantity} × ${priceText(unit_price, quote.currency)}`,
        dollars(line_total),
      ]),
      ['Discount', `-${quote.formatted.discount_amount}`],
      ['Tax', quote.formatted.tax_amount],
      ['Total', quote.formatted.total],
    ]),
  ],
  ['letter', 'A reminder letter, ready to send', paper(letter.reminder.body)],
  ['options', 'One list of lines, three options', drawn(optionsPicture(pack))],
  [
    'report',
    'What is free for your business',
    rows(report.summary.table.slice(0, 5).map(({ need, tool, free_until }) => [need, tool, free_until])),
  ],
  [
    'tools',
    'Free software, by the vendors’ words',
    rows(
      ['loyverse', 'brevo', 'calendly', 'canva-free', 'bitwarden-free'].map((id) => {
        const { name, free_limits, check } = directory.find(id);
        return [name, free_limits, `Checked on ${longDay(check.checked_on)}`];
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
  body{margin:0;width:1200px;height:630px;box-sizing:border-box;overflow:hidden;background:#faf8f3;color:#1c1b19;font:25px/1.5 "DejaVu Sans",sans-serif}
  header{display:flex;align-items:center;gap:16px;height:84px;padding:0 56px;background:#fff;border-bottom:2px solid #ddd7ca}header svg{width:48px}
  header p{margin:0;font:600 30px "DejaVu Serif",serif}main{padding:0 56px}
  div.card{box-sizing:border-box;height:428px;overflow:hidden;padding:22px 36px;border:2px solid #ddd7ca;border-radius:16px;background:#fff}
  h1{font:600 46px/1.15 "DejaVu Serif",serif;margin:22px 0 20px;white-space:nowrap}
  .label{margin:0;color:#5d594f}.big+.picture{height:262px}.big{font:600 66px/1.1 "DejaVu Serif",serif;margin:0 0 4px}
  .picture{height:382px;width:100%;display:block}
  text{fill:#1c1b19;font-size:14px}.small{fill:#5d594f;font-size:12.5px}.big.big{font-size:70px}text.big.big{font-size:19px}.on{fill:#fff}
  .axis{stroke:#827d6f;fill:none}.when{stroke:#1c1b19;stroke-dasharray:3 3}.curve{stroke:#14603a;stroke-width:2.5;fill:none}
  .ahead{stroke-dasharray:1 6;stroke-linecap:round}.area{fill:#eaf3ec}.filled,.spot{fill:#14603a}.pale{fill:#eaf3ec;stroke:#ddd7ca}rect.card{fill:#fff;stroke:#ddd7ca}
  .paper{font:23px/1.45 "DejaVu Serif",serif}
  table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}td{padding:9px 0;border-bottom:1px solid #ddd7ca;vertical-align:top}tr:last-child td{border:0}.n{text-align:right}small{display:block;color:#5d594f;font-size:18px;line-height:1.2}
  pre{font:28px/1.45 "DejaVu Sans Mono",monospace;margin:0}`;

const mark = readFileSync('src/surfaces/pages/assets/favicon.svg', 'utf8');
mkdirSync(FOLDER, { recursive: true });
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  for (const [name, title, shown] of pictures) {
    await page.setContent(
      `<!doctype html><style>${style}</style><header>${mark}<p>Small-Business Calculator</p></header><main><h1>${escaped(title)}</h1><div class="card">${shown}</div></main>`,
    );
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  }
} finally {
  await browser.close();
}
