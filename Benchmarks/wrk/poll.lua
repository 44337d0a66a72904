-- Polls the jobs that the file JOBS lists, one `user id` on each line, in turn. With ETAG the client has that version.
local pause = tonumber(os.getenv("DELAY") or "0")
local requests = {}
local number = 0

if pause > 0 then
  function delay() return pause end
end

function init()
  for line in io.lines(os.getenv("JOBS")) do
    local user, id = line:match("(%S+) (%S+)")
    requests[#requests + 1] = wrk.format("GET", "/api/v1/jobs/" .. id,
      { ["X-User-ID"] = user, ["If-None-Match"] = os.getenv("ETAG") })
  end
end

function request()
  number = number % #requests + 1
  return requests[number]
end
