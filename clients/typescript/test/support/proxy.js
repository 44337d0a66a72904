// A proxy that does to requests whatever a test asks for.

import http from "node:http"

/**
 * Starts a proxy before a service. `proxy.rule(request)` returns one of the actions below for a request, or nothing to
 * pass it on. `proxy.requests` has all requests in their order.
 *
 * `dropBefore`, `dropAfter` (the service has done the work), `reset`, `truncate`, `duplicate`, `drip` (bytes that never
 * end), `silence` (no answer), `portal`, `garbage`, or `{ status, headers, body }`.
 */
export async function startProxy(target) {
  const { hostname, port } = new URL(target)
  const proxy = { requests: [], rule: () => undefined }

  const server = http.createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const seen = {
      method: request.method, path: request.url.split("?")[0], url: request.url, headers: request.headers,
      body: Buffer.concat(chunks),
    }
    proxy.requests.push(seen)
    const action = await proxy.rule(seen, proxy.requests.length)
    if (!action) return forward(seen, answer => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.on("error", () => response.destroy()).pipe(response)
      response.on("close", () => answer.destroy())
    }, () => response.destroy())
    if (typeof action === "object") {
      const headers = { "X-API-Version": "1.0", "Content-Type": "application/json", ...action.headers }
      response.writeHead(action.status, headers)
      return response.end(typeof action.body === "string" ? action.body : JSON.stringify(action.body ?? {}))
    }
    actions[action](seen, response)
  })

  function forward(seen, done, failed) {
    const headers = { ...seen.headers, host: `${hostname}:${port}` }
    http.request({ hostname, port, method: seen.method, path: seen.url, headers, agent: false }, done)
      .on("error", failed).end(seen.body)
  }

  // The whole answer of the service.
  const answered = seen => new Promise(resolve => forward(seen, async answer => {
    const chunks = []
    for await (const chunk of answer) chunks.push(chunk)
    resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) })
  }, () => resolve(undefined)))

  const actions = {
    dropBefore: (_, response) => response.socket.destroy(),
    async dropAfter(seen, response) {
      await answered(seen)
      response.socket.destroy()
    },
    async reset(seen, response) {
      await answered(seen)
      response.socket.resetAndDestroy()
    },
    async truncate(seen, response) {
      const answer = await answered(seen)
      response.writeHead(answer.status, answer.headers)
      response.write(answer.body.subarray(0, Math.ceil(answer.body.length / 2)), () => response.socket.destroy())
    },
    async duplicate(seen, response) {
      await answered(seen)
      const answer = await answered(seen)
      response.writeHead(answer.status, answer.headers)
      response.end(answer.body)
    },
    drip(_, response) {
      response.writeHead(200, { "X-API-Version": "1.0", "Content-Type": "application/json" })
      const timer = setInterval(() => response.write(" "), 5)
      response.on("close", () => clearInterval(timer))
    },
    silence() {},
    portal(_, response) {
      response.writeHead(200, { "Content-Type": "text/html" })
      response.end("<html>Please accept our terms.</html>")
    },
    garbage: (_, response) => response.socket.end("\u0001\u0002 this is no HTTP \r\n\r\n"),
  }

  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve))
  proxy.url = `http://127.0.0.1:${server.address().port}`
  proxy.stop = () => new Promise(resolve => {
    server.close(resolve)
    server.closeAllConnections()
  })
  return proxy
}

/** An envelope with an error of the service. */
export const refusal = (status, code, more = {}, headers = {}) => ({
  status, headers,
  body: { success: false, error: { code, message: "m", user_message: "u", ...more }, meta: { request_id: "r-1" } },
})
