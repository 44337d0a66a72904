// An app that resumes what is unfinished, or else taps once, and that kills itself at the step that KILL_AT names.

import { developmentAuthentication, Dossier, submission } from "../../dossier.js"
import { fileStorage } from "../../node.js"

const { SERVER, ACCOUNT, FOLDER, KEY, KILL_AT } = process.env
const dies = step => {
  if (KILL_AT === step) process.kill(process.pid, "SIGKILL")
}

const files = fileStorage(FOLDER)
const storage = {
  ...files,
  async set(key, value) {
    const isSubmission = key.startsWith("submission/")
    if (isSubmission && value.includes("jobId")) dies("before the id of the job is stored")
    await files.set(key, value)
    if (isSubmission) dies(value.includes("jobId") ? "after the id of the job is stored" : "after the tap is stored")
  },
  async remove(key) {
    if (key.startsWith("submission/")) dies("before the tap is forgotten")
    await files.remove(key)
  },
}

const dossier = new Dossier({
  server: SERVER, storage, authentication: developmentAuthentication(ACCOUNT),
  async fetch(url, options) {
    const isSubmit = options.method === "POST" && url.endsWith("/jobs")
    const answer = fetch(url, options)
    if (isSubmit) setImmediate(() => dies("while the request is sent"))
    await answer
    if (isSubmit) dies("after the server has answered")
    if (url.endsWith("/result")) dies("while the result is read")
    return answer
  },
})

const [saved] = await dossier.submissions.unfinished()
const tap = saved ? submission.resume(saved)
  : submission.research({ ticker: "AAPL", persona: "graham" }, { idempotencyKey: KEY })
for await (const event of dossier.jobs.run(tap)) {
  console.log(event.type)
  dies(`at ${event.type}`)
}
console.log("forgotten", (await dossier.submissions.unfinished()).length)
