// Server-sent events, as the HTML standard describes them.

/**
 * Reads the events of a body. Takes LF, CR LF and CR, comments, several `data:` lines and texts that are cut within a
 * character; an event that the end of the stream cuts off is dropped.
 *
 * Yields `{ id, type, data }`, and `{ retry }` for a pause in milliseconds that the server asks for.
 */
export async function* events(chunks) {
  let fields = { type: "message", data: [] }
  let id = ""
  for await (const line of lines(chunks)) {
    if (line === "") {
      if (fields.data.length > 0) yield { id, type: fields.type, data: fields.data.join("\n") }
      fields = { type: "message", data: [] }
      continue
    }
    const colon = line.indexOf(":")
    if (colon === 0) continue
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
    if (name === "data") fields.data.push(value)
    else if (name === "event") fields.type = value
    else if (name === "id" && !value.includes("\0")) id = value
    else if (name === "retry" && /^[0-9]+$/.test(value)) yield { retry: Number(value) }
  }
}

// Whole lines only. A CR at the end of a chunk may be the first half of a CR LF.
async function* lines(chunks) {
  const decoder = new TextDecoder()
  let pieces = []
  let endsInReturn = false
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true })
    if (text === "") continue
    if (endsInReturn && text.startsWith("\n")) text = text.slice(1)
    if (text !== "") endsInReturn = text.endsWith("\r")
    const parts = text.split(/\r\n|\n|\r/)
    for (const [index, part] of parts.entries()) {
      pieces.push(part)
      if (index === parts.length - 1) break
      yield pieces.join("")
      pieces = []
    }
  }
}
