/** Whether the client's link has the logo. */
export type LogoChosen = {
  readonly isShown: boolean;
  /** By how many characters the logo makes the link longer. */
  readonly characters: number;
  readonly show: (isShown: boolean) => void;
};

/** Asks the owner whether the client's link may have the logo. */
export const LogoChoice = ({ isShown, characters, show }: LogoChosen) => (
  <p class="send-choice toolbar">
    <label>
      <input
        type="checkbox"
        checked={isShown}
        onInput={({ currentTarget }) => show((currentTarget as unknown as { checked: boolean }).checked)}
      />{' '}
      Show my logo to my client
    </label>{' '}
    <span class="hint">
      The link then holds the picture, and is {characters.toLocaleString('en')} characters longer: copy it,
      because email programs cut so long a link.
    </span>
  </p>
);
