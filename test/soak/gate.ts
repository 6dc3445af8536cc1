/**
 * Several callers may hold the gate open at once. A caller that closes it waits for them, and later callers wait until
 * it is open again.
 */
export type Gate = {
  /** Resolves to a function that releases it. */
  hold(): Promise<() => void>;
  /** Resolves, once no caller holds it, to a function that opens it again. */
  close(): Promise<() => void>;
};

export function gate(): Gate {
  let holders = 0;
  let isClosed = false;
  const until = async (isMet: () => boolean) => {
    while (!isMet()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return {
    async hold() {
      await until(() => !isClosed);
      holders += 1;
      return () => {
        holders -= 1;
      };
    },
    async close() {
      await until(() => !isClosed);
      isClosed = true;
      await until(() => holders === 0);
      return () => {
        isClosed = false;
      };
    },
  };
}
