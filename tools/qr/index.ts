import { fetchTool } from '../../scripts/tool.js';

fetchTool('qr');

type Picture = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/** What a picture of a QR code says; throws where there is none to read. */
export const { default: readCode } = (await import('qr/decode.js' as string)) as {
  readonly default: (picture: Picture) => string;
};
