-- Submits jobs of a thousand users in turn: drills with the input DRILL, reports without. With DELAY (milliseconds) each
-- connection pauses between requests.
local pause = tonumber(os.getenv("DELAY") or "0")
local number = 0
local drill = os.getenv("DRILL")
local body = drill and '{"kind":"drill","input":' .. drill .. '}'
  or '{"kind":"research","input":{"ticker":"AAPL","persona":"buffett"}}'

if pause > 0 then
  function delay() return pause end
end

function request()
  number = number % 1000 + 1
  return wrk.format("POST", "/api/v1/jobs",
    { ["Content-Type"] = "application/json", ["X-User-ID"] = "user-" .. number },
    body)
end
