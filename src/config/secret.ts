import { inspect } from 'node:util';

const mask = '[secret]';

/**
 * A value that only `reveal()` gives out. Printing, logging, joining, spreading and JSON all see `[secret]` or
 * nothing, so a credential in the configuration cannot leave by accident.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    Object.freeze(this);
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}
