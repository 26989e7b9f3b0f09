/** Opens the device's menu for sharing. Resolves to false if the person has closed it. */
export async function sendByDevice({ url, title = null }: { url: string; title?: string | null }): Promise<boolean> {
  try {
    await navigator.share({ url, ...(title === null ? {} : { title }) })
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false
    throw error
  }
}
