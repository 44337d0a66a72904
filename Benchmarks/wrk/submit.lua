-- Submits jobs of a thousand users in turn. BODY is the body to send, with the number of the request in place of each %d;
-- without it a report. With DELAY (milliseconds) each connection pauses between requests.
local body = os.getenv("BODY") or '{"kind":"research","input":{"ticker":"AAPL","persona":"buffett"}}'
local isNumbered = body:find("%d", 1, true)
local pause = tonumber(os.getenv("DELAY") or "0")
local number, submitted = 0, 0

if pause > 0 then
  function delay() return pause end
end

function request()
  number = number % 1000 + 1
  submitted = submitted + 1
  return wrk.format("POST", "/api/v1/jobs",
    { ["Content-Type"] = "application/json", ["X-User-ID"] = "user-" .. number },
    isNumbered and body:gsub("%%d", submitted) or body)
end
