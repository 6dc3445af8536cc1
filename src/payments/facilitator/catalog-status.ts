import { z } from 'zod';

/** How a facilitator's catalog received a resource (x402 bazaar extension). */
export type CatalogStatus = 'success' | 'processing' | 'rejected';

const shape = z.object({ bazaar: z.object({ status: z.enum(['success', 'processing', 'rejected']) }) });

/** Reads an EXTENSION-RESPONSES header, base64 of JSON; null if it has no known status. */
export function catalogStatusOf(header: string | null): CatalogStatus | null {
  if (header === null) return null;
  try {
    const read = shape.safeParse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')));
    return read.success ? read.data.bazaar.status : null;
  } catch {
    return null;
  }
}
