// What `npm start` leaves running beside the server. A process of its own after `prepare.mjs`, whose memory it would keep.
import { projectNode, serverArguments, serverEnvironment } from './lib/project.mjs'
import { main, supervise } from './lib/run.mjs'

await main(() => supervise(projectNode(), serverArguments, { env: serverEnvironment }))
