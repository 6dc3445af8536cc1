/** `wait` blocks its caller until `take` releases it; `take` resolves when the next caller waits. */
export function takingTurns<Value>(value: () => Value) {
  let arrive = (): void => undefined;
  let pass = (): void => undefined;
  const arrival = () => new Promise<void>((resolve) => (arrive = resolve));
  let arrived = arrival();
  return {
    async wait(): Promise<Value> {
      const passed = new Promise<void>((resolve) => (pass = resolve));
      arrive();
      await passed;
      return value();
    },
    async take(): Promise<void> {
      await arrived;
      arrived = arrival();
      pass();
      await arrived;
    },
  };
}
