import { inspect } from 'node:util';

const MASK = '[secret]';

/**
 * A value that only `reveal()` returns. Printing, logging, joining, spreading and JSON show `[secret]` or nothing, so
 * the configuration cannot leak a credential by accident.
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
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
