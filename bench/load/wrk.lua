-- Sends the requests of a file in turn; see load.ts. Arguments: the file, with which to begin, what a key begins with.
local heads, tails = {}, {}
local at, sent, stamp = 0, 0, ""

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for request in file:read("*a"):gmatch("[^\30]+") do
    local from, to = request:find("{key}", 1, true)
    heads[#heads + 1] = from and request:sub(1, from - 1) or request
    tails[#heads] = from and request:sub(to + 1) or false
  end
  file:close()
  at, stamp = tonumber(args[2]), args[3]
end

function request()
  at = at % #heads + 1
  local tail = tails[at]
  if not tail then return heads[at] end
  sent = sent + 1
  return heads[at] .. stamp .. sent .. tail
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('{"done":%d,"seconds":%f,"failed":%d}\n', summary.requests, summary.duration / 1e6, failed))
end
