// The two servers of `npm run dev` on one origin: Vite serves the pages and proxies the rest to the real server.
import { createServer as createSocket } from 'node:net'
import { createServer } from 'vite'
import { inProject, serverArguments, serverPaths } from './project.mjs'
import { main, run } from './run.mjs'

await main(async () => {
  const port = Number(process.env.PORT ?? 3000)
  const serverPort = await freePort()
  const vite = await createServer({
    root: inProject('web'),
    clearScreen: false,
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      proxy: { [serverPaths]: { target: `http://127.0.0.1:${serverPort}` } },
    },
  })
  try {
    await vite.listen()
    const { code } = await run(
      process.execPath,
      ['--watch', '--watch-preserve-output', ...serverArguments],
      // Sign-in must redirect to Vite's origin.
      { env: { PORT: String(serverPort), PUBLIC_URL: `http://127.0.0.1:${port}` } },
    )
    return code
  } finally {
    await vite.close()
  }
})

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const socket = createSocket().once('error', reject)
    socket.listen(0, '127.0.0.1', () => {
      const address = socket.address()
      socket.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
