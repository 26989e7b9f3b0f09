/**
 * Copies a text that may still have to be fetched. To be called in the click itself: browsers accept a promise then, and
 * refuse a text that arrives later. Resolves to whether it worked; rejects if the text could not be fetched.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  const fetched = Promise.resolve(text)
  try {
    await write(fetched)
    return true
  } catch {
    await fetched
    // No permission, no HTTPS, or the page has lost the focus: the person copies it by hand.
    return false
  }
}

async function write(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text)
  const blob = text.then(value => new Blob([value], { type: 'text/plain' }))
  blob.catch(() => undefined)
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
