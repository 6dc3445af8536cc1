import { isLogo } from '../surfaces/pages/documents/brand.ts';

/* A logo from a file: drawn again on this device, so neither metadata nor scripts of the file remain. */

const [WIDTH, HEIGHT] = [360, 144];
const SCALES = [1, 0.7, 0.5, 0.35];
const FORMATS = [
  ['image/webp', 0.9],
  ['image/webp', 0.7],
  ['image/webp', 0.5],
  // For browsers that do not write WebP.
  ['image/png', 1],
  ['image/jpeg', 0.8],
  ['image/jpeg', 0.5],
] as const;

/** The picture of a file as a small data address; null if the browser cannot show the file. */
export async function logoFrom(file: Blob): Promise<string | null> {
  const image = new Image();
  try {
    image.src = await addressOf(file);
    await image.decode();
    return encoded(image, file.type === 'image/svg+xml');
  } catch {
    return null;
  }
}

function encoded(image: HTMLImageElement, isSvg: boolean): string | null {
  const [width, height] = [image.naturalWidth || WIDTH, image.naturalHeight || HEIGHT];
  // Only a drawing can be enlarged.
  const fit = Math.min(WIDTH / width, HEIGHT / height, isSvg ? Number.POSITIVE_INFINITY : 1);
  const canvas = document.createElement('canvas');
  for (const scale of SCALES) {
    canvas.width = Math.max(1, Math.round(width * fit * scale));
    canvas.height = Math.max(1, Math.round(height * fit * scale));
    const context = canvas.getContext('2d');
    if (context === null) return null;
    // JPEG has no transparency, and paper is white.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const found = FORMATS.map(([type, quality]) => canvas.toDataURL(type, quality)).find(isLogo);
    if (found !== undefined) return found;
  }
  return null;
}

const addressOf = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(new Error('Unreadable file')));
    reader.readAsDataURL(file);
  });
