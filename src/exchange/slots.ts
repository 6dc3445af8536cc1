/** Purchases under way whose payment is proven; more at once would only wait for each other. */
export type Slots = {
  /** Takes a slot for a payer; false when none is free. */
  take(payer: string): boolean;
  release(payer: string): void;
};

const MAX_UNDER_WAY = 512;
const MAX_UNDER_WAY_PER_PAYER = 128;

export function createSlots(): Slots {
  const perPayer = new Map<string, number>();
  let underWay = 0;
  return {
    take(payer) {
      const mine = perPayer.get(payer) ?? 0;
      if (underWay >= MAX_UNDER_WAY || mine >= MAX_UNDER_WAY_PER_PAYER) return false;
      perPayer.set(payer, mine + 1);
      underWay += 1;
      return true;
    },
    release(payer) {
      const left = (perPayer.get(payer) ?? 1) - 1;
      if (left === 0) perPayer.delete(payer);
      else perPayer.set(payer, left);
      underWay -= 1;
    },
  };
}
