import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { freePort } from '../server/test/free-port.ts'
import { expect, test as family, toast } from './support/family.ts'
import { choose, expectSameBytes, largePhoto, openDialog } from './support/upload.ts'

const test = family.extend<{ uploadsPort: number }>({
  uploadsPort: async ({ browserName: _ }, use) => use(await freePort()),
  environment: async ({ uploadsPort }, use) => use({ UPLOADS_URL: `http://127.0.0.1:${uploadsPort}` }),
})

test('with UPLOADS_URL, files and nothing else are sent to the uploads host', async ({
  deviceOf,
  library,
  uploadsPort,
}, info) => {
  const uploadsHost = createServer(socket => {
    const behind = connect(Number(new URL(library.url).port), '127.0.0.1')
    for (const end of [socket, behind]) end.on('error', () => [socket, behind].map(one => one.destroy()))
    socket.pipe(behind).pipe(socket)
  })
  uploadsHost.listen(uploadsPort, '127.0.0.1')
  await once(uploadsHost, 'listening')

  const page = await deviceOf('Ben Okafor')
  const dialog = await openDialog(page)
  const calls: Record<'here' | 'there', Set<string>> = { here: new Set(), there: new Set() }
  page.on('request', request => {
    const { port, pathname } = new URL(request.url())
    const path = pathname.replace(/^\/api\/uploads\/.*/, '/api/uploads/…')
    calls[port === String(uploadsPort) ? 'there' : 'here'].add(`${request.method()} ${path}`)
  })
  const large = await largePhoto(info, 'large.jpg', 9)
  await choose(dialog, [large, await largePhoto(info, 'small.jpg', 1)])
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(toast(page, 'Successfully processed 2 files')).toBeVisible()
  expect([...calls.there].filter(call => !call.startsWith('OPTIONS')).sort()).toEqual([
    'PATCH /api/uploads/…',
    'POST /api/media/upload',
    'POST /api/uploads',
  ])
  expect([...calls.here].filter(call => call.includes('upload'))).toEqual([])
  await expectSameBytes(page, 'large.jpg', large)
  uploadsHost.close()
})
