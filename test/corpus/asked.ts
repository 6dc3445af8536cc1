/** A request of the corpus, as it is sent over the wire. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export const JSON_TYPE = { 'content-type': 'application/json' };

/** A POST request. A text is sent as the body; anything else becomes JSON. */
export const post = (path: string, values: unknown, headers: Record<string, string> = JSON_TYPE): Asked => ({
  method: 'POST',
  path,
  headers,
  body: typeof values === 'string' ? values : JSON.stringify(values),
});
