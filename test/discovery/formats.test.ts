import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BASE_URL, NOON, testApp } from '../support/app.ts';
import { paidOperations } from './support.ts';

const app = testApp();
const json = async (path: string) => (await app.get(path)).json();
const text = async (path: string) => (await app.get(path)).text();
const PROOF = `0x${'1b'.repeat(65)}`;

const https = z.string().startsWith(`${BASE_URL}/`);

describe('the x402 manifest', () => {
  it('is readable by the earliest catalogs, which expect strings', async () => {
    const legacy = z.object({
      version: z.literal(1),
      resources: z.array(https).min(1),
      ownershipProofs: z.array(z.string()).optional(),
      instructions: z.string().optional(),
    });
    const { resources } = legacy.parse(await json('/.well-known/x402'));
    expect(resources).toEqual([
      ...paidOperations.map(({ route }) => `${BASE_URL}${route?.path}`),
      `${BASE_URL}/mcp`,
    ]);
  });

  it('has the ownership proof if one is set, like the OpenAPI document', async () => {
    const proven = testApp({ about: { contactEmail: 'hello@calc.example', ownershipProof: PROOF } });
    const manifest = await (await proven.get('/.well-known/x402')).json();
    const openapi = JSON.parse(await (await proven.get('/openapi.json')).text());
    expect(manifest).toMatchObject({ ownershipProofs: [PROOF], contact: 'hello@calc.example' });
    expect(openapi['x-agentcash-provenance']).toEqual({ ownershipProofs: [PROOF] });
    expect(openapi['x-discovery']).toEqual({ ownershipProofs: [PROOF] });
    expect(openapi.info.contact.email).toBe('hello@calc.example');
    expect(await text('/.well-known/x402')).not.toContain('ownershipProofs');
    expect(await text('/openapi.json')).not.toContain('ownershipProofs');
  });
});

describe('the API catalog', () => {
  it('is announced in the headers of GET and HEAD (RFC 9727, 2 and 3)', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await app.http.request('/.well-known/api-catalog', { method });
      expect(answer.headers.get('link')).toBe(
        '</.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"',
      );
    }
  });

  it('is a linkset, with a list of targets for each relation (RFC 9264, 4.2)', async () => {
    const target = z.strictObject({
      href: https,
      type: z
        .string()
        .regex(/^[a-z]+\/[\w.+-]+$/)
        .optional(),
      title: z.string().optional(),
    });
    const context = z.object({ anchor: https }).catchall(z.array(target).min(1));
    const { linkset } = z
      .strictObject({ linkset: z.array(context) })
      .parse(await json('/.well-known/api-catalog'));
    const [catalogue, ...apis] = linkset;
    const items = catalogue?.item?.map(({ href }) => href);
    expect(items).toEqual([`${BASE_URL}/v1`, `${BASE_URL}/mcp`]);
    expect(apis.map(({ anchor }) => anchor)).toEqual(items);
    for (const api of apis)
      expect(Object.keys(api)).toEqual(
        expect.arrayContaining('service-desc service-doc status terms-of-service privacy-policy'.split(' ')),
      );
  });
});

describe('llms.txt', () => {
  it.each(['/llms.txt'])(
    'at %s has a title, a summary, text, and then sections with only links',
    async (path) => {
      const [head = '', ...sections] = (await text(path)).split(/^## +/m);
      expect(head).toMatch(/^# [^\n]+\n\n> [^\n]+\n\n/);
      expect(head.slice(2)).not.toMatch(/^#{1,6} /m);
      expect(sections.map((section) => section.split('\n', 1)[0])).toEqual([
        'API',
        'Payment and discovery',
        'Optional',
      ]);
      for (const section of sections) {
        const lines = section
          .split('\n')
          .slice(1)
          .filter((line) => line.trim() !== '');
        expect(lines.length).toBeGreaterThan(0);
        for (const line of lines)
          expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/calc\.example\/[^)\s]*\)(?:: .+)?$/);
      }
    },
  );

  it('is sent as Markdown to clients that prefer it, and names every operation with its price', async () => {
    const answer = await app.get('/llms.txt', { accept: 'text/markdown' });
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const body = await answer.text();
    expect(body).toContain('- GET /v1/late-fee (free): ');
    expect(body).toContain('- GET /v1/stack-report (1.00 USD): ');
  });
});

describe('the documents for crawlers', () => {
  it('include a sitemap that names only pages, each with the day of its last change', async () => {
    const xml = await text('/sitemap.xml');
    expect(xml).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">/,
    );
    const urls = [...xml.matchAll(/<url><loc>([^<]+)<\/loc>(?:<lastmod>([^<]+)<\/lastmod>)?<\/url>/g)];
    expect(urls.map(([, loc]) => loc)).toEqual(
      expect.arrayContaining(['/', '/docs', '/legal'].map((path) => `${BASE_URL}${path}`)),
    );
    for (const [, loc = '', lastmod] of urls) {
      expect(loc).not.toMatch(/\/v1|well-known|\.md$/);
      if (lastmod !== undefined) expect(Date.parse(lastmod)).toBeLessThanOrEqual(Date.now());
    }
  });

  it('include a robots.txt that allows everything to every crawler and names the sitemap', async () => {
    expect(await text('/robots.txt')).toBe(
      'User-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=yes\nAllow: /\n\nSitemap: https://calc.example/sitemap.xml\n',
    );
  });

  it('include a security.txt that names a contact and expires within a year, but not soon (RFC 9116)', async () => {
    const body = await text('/.well-known/security.txt');
    expect(body).toContain('Contact: https://calc.example/legal#security\n');
    expect(body).toContain('Canonical: https://calc.example/.well-known/security.txt\n');
    const expires = Date.parse(/^Expires: (\S+)$/m.exec(body)?.[1] ?? '');
    const days = (expires - NOON) / 86_400_000;
    expect(days).toBeGreaterThan(300);
    expect(days).toBeLessThan(365);
    expect(await text('/security.txt')).toBe(body);
    const reachable = testApp({ about: { contactEmail: 'hello@calc.example', ownershipProof: null } });
    expect(await (await reachable.get('/security.txt')).text()).toContain(
      'Contact: mailto:hello@calc.example\n',
    );
  });
});

describe('the documents for agents', () => {
  it('include an index of skills that names one Markdown file by its digest (Agent Skills Discovery 0.2.0)', async () => {
    const index = z.strictObject({
      $schema: z.literal('https://schemas.agentskills.io/discovery/0.2.0/schema.json'),
      skills: z
        .array(
          z.strictObject({
            name: z
              .string()
              .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
              .max(64),
            type: z.literal('skill-md'),
            description: z.string().min(1).max(1_024),
            url: z.string(),
            digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
          }),
        )
        .length(1),
    });
    const [skill] = index.parse(await json('/.well-known/agent-skills/index.json')).skills;
    const served = await text(skill?.url ?? '');
    expect(`sha256:${createHash('sha256').update(served).digest('hex')}`).toBe(skill?.digest);
    // The front matter is YAML, which includes JSON.
    const [, name, description] = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(served) ?? [];
    expect([name, JSON.parse(description ?? '')]).toEqual([skill?.name, skill?.description]);
    expect(skill?.url).toBe(`/.well-known/agent-skills/${name}/SKILL.md`);
    expect(Buffer.byteLength(served)).toBeLessThan(12_000);
  });

  it('include an AI catalog that names the card of the MCP server', async () => {
    const entry = z.strictObject({
      identifier: z.string().regex(/^urn:air:[a-z0-9.-]+:mcp:[\w-]+$/),
      displayName: z.string(),
      type: z.literal('application/mcp-server-card+json'),
      url: https,
      description: z.string(),
      representativeQueries: z.array(z.string()).min(2).max(5),
      tags: z.array(z.string()),
    });
    const host = z.strictObject({ displayName: z.string(), documentationUrl: https });
    z.strictObject({ specVersion: z.literal('1.0'), host, entries: z.array(entry).length(1) }).parse(
      await json('/.well-known/ai-catalog.json'),
    );
  });
});
