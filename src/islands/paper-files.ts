const TYPES = { csv: 'text/csv', json: 'application/json', txt: 'text/plain' } as const;

/** Saves a file under a name that every system takes. */
export function saveFile(name: string, ending: keyof typeof TYPES, content: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type: `${TYPES[ending]};charset=utf-8` }));
  link.download = `${name.replace(/[^\p{L}\p{N} ._-]/gu, '')}.${ending}`;
  link.click();
  // By then the browser has read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
