// Asks what every page asks first while the program is still being loaded; src/kit/ahead.ts hands the answers over.
{
  const token = localStorage.getItem('auth_token')
  if (token !== null) {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    const ask = async address => {
      const response = await fetch(address, { headers, credentials: 'include' })
      return { response, text: await response.text() }
    }
    const who = ask('/auth/me')
    const answers = new Map([['/auth/me', who]])
    // The gallery's index waits for that answer, as all that is read does: see src/kit/livePosition.ts.
    if (location.pathname === '/' && location.search === '') {
      answers.set(
        '/api/media/timeline',
        who.then(() => ask('/api/media/timeline')),
      )
    }
    // Whoever takes an answer hears of its failure; one that nobody takes is no error.
    for (const answer of answers.values()) answer.catch(() => {})
    globalThis.askedAhead = { token, at: Date.now(), answers }
  }
}
