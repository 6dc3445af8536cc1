import { describe, expect, it } from 'vitest';
import { html, markdown, tally } from '../../../../test/pages/listing-samples.ts';
import { testApp } from '../../../../test/support/app.ts';
import { displayQuote } from '../../../domain/vendor-quotation.ts';
import type { AnswerOf } from '../../../operations/answers.ts';

/** The names of the tags on a page, without their attributes. */
const tagsOf = (text: string) => text.match(/<\/?[a-z][a-z0-9]*/g);

describe('the view of a listing', () => {
  it('shows its facts without a visible heading, but with one for screen readers', () => {
    expect(html(tally)).toContain('<table aria-label="Facts"><tbody>');
  });

  it('tells search engines that links to vendors, unlike links to our pages, are not recommendations', () => {
    expect(html(tally)).toContain(
      '<a href="https://help.tally.example/free" rel="noopener nofollow">help.tally.example</a>',
    );
    expect(html(tally)).toContain('<a href="/v1/tools/tally-books">');
  });
});

describe('hostile text in a listing', () => {
  const evil =
    '\n\n# Big\n- item\r\n1. one\n> quoted\n```\n<script>alert(1)</script></p><img src=x onerror=alert(1)> [x](javascript:alert(1)) | cell **bold** `code`\n---\n';
  const hostile: AnswerOf<'list_tools'>['tools'][number] = {
    ...tally,
    id: '"><script>',
    vendor: evil,
    free_limits: evil,
    licence: evil,
    caveats: [evil],
    check: { ...tally.check, quote: evil },
  };

  it('stays text in HTML', () => {
    expect(tagsOf(html(hostile))).toEqual(tagsOf(html(tally)));
  });

  it('stays text in Markdown', () => {
    const text = markdown(hostile);
    expect(text.split('\n')).toHaveLength(markdown(tally).split('\n').length);
    expect(text).toContain('\n| Vendor | # Big - item 1. one > quoted'.replace('>', '\\>'));
    expect(text).toContain('\n> “Big item 1. one quoted \\` \\<script\\>alert(1)\\</script\\>');
    expect(text).toContain('\n- Note: # Big - item');
    expect(text).toContain('\\[x\\](javascript:alert(1)) \\| cell \\*\\*bold\\*\\*');
    expect(text).not.toMatch(/(?<!\\)<|(?<!\\)`/);
  });

  it.each(['- item', '# Big', '1. one', '2) two', '~~~', '--- ', '+ more', '=== '])(
    'opens no Markdown block at the start of a caveat: %s',
    (caveat) => {
      expect(markdown({ ...tally, caveats: [caveat] })).toContain(`\n- Note: ${caveat.trim()}\n`);
    },
  );

  it('does not change a caveat that begins with a number', () => {
    const caveat = '5% commission on each sale. 2 GB are small.';
    expect(markdown({ ...tally, caveats: [caveat] })).toContain(`\n- ${caveat}\n`);
  });

  it('cannot become a link: only https addresses are linked, and a parenthesis does not end a link', () => {
    const text = markdown({ ...tally, homepage: 'javascript:alert(1)' });
    expect(text).toContain('| Website | javascript:alert(1) |');
    expect(markdown({ ...tally, homepage: 'https://a.example/b) [c](d' })).toContain(
      '(https://a.example/b%29%20[c]%28d) |',
    );
  });
});

describe('every listing of the directory', async () => {
  const answer = await testApp().get('/v1/tools');
  const { tools } = (await answer.json()) as { tools: AnswerOf<'list_tools'>['tools'] };

  it('shows its quote, the source and the date it was read', () => {
    expect(tools.length).toBeGreaterThan(200);
    for (const tool of tools) {
      const { check, caveats, id } = tool;
      const text = html(tool).replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      expect(text, id).toContain(`“${displayQuote(check.quote)}”`);
      expect(text, id).toContain(`href="${new URL(check.source_url).href}"`);
      expect(text, id).toMatch(
        /Vendor text(?: of \w+ \d{4}|, age unknown); proof: (?:strong|fair|thin)\. (?:Read on|From) /,
      );
      for (const caveat of caveats) expect(text, id).toContain(`<li>${caveat}</li>`);
    }
  });

  it.each(['unlimited', 'for ever', 'forever', 'guarantee', 'recommend', 'trusted', 'verified', 'best'])(
    'is called "%s" only if its own data says so',
    (word) => {
      const saying = (text: string) => text.toLowerCase().includes(word);
      const invented = tools.filter((tool) => saying(markdown(tool)) && !saying(JSON.stringify(tool)));
      expect(invented.map(({ id }) => id)).toEqual([]);
    },
  );
});
