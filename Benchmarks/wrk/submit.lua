-- Submits jobs of a thousand users in turn: research, or with KIND=explanation explanations of articles, no two alike.
-- With DELAY (milliseconds) each connection pauses between requests.
local bodies = {
  research = '{"kind":"research","input":{"ticker":"AAPL","persona":"buffett"}}',
  explanation = '{"kind":"explanation","input":{"title":"Margins, week %d","articles":[{"title":"Margins rise",'
    .. '"source":"The Paper","url":"https://example.com/margins-%d","text":"Apple said on Monday that its gross '
    .. 'margin rose to 46 percent, as services grew faster than phones. Analysts had expected less."}]}}'
}
local body = bodies[os.getenv("KIND") or "research"]
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
    (body:gsub("%%d", submitted)))
end
