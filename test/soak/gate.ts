/** Many may hold it open at once; who closes it waits for them, and they for whoever has closed it. */
export type Gate = {
  /** Resolves to what lets go again. */
  hold(): Promise<() => void>;
  /** Resolves, once nobody holds it, to what opens it again. */
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
