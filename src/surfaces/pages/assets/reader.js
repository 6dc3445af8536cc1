// Shows the OpenAPI document. Search stays off: it would need a worker made of text, which the policy forbids.
globalThis.Redoc.init(
  '/openapi.json',
  {
    disableSearch: true,
    hideDownloadButtons: false,
    nativeScrollbars: true,
    theme: { colors: { primary: { main: '#14532d' } }, typography: { fontFamily: 'system-ui, sans-serif' } },
  },
  document.getElementById('reader'),
);
