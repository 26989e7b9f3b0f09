/** Focuses a field with a file name and selects the part before the extension, which is rarely changed. */
export function selectBaseName(field: HTMLInputElement): void {
  field.focus()
  const dot = field.value.lastIndexOf('.')
  field.setSelectionRange(0, dot > 0 ? dot : field.value.length)
}
