-- Cycles over warmed ids. Every request is formatted once, so that the load generator stays cheaper than the server.
-- Arguments: the number of ids, and, if callers authenticate, a file with a value of Authorization on each line, which the
-- requests use in turn.
local requests = {}
local count = 0
local following = 0

function init(arguments)
  count = tonumber(arguments[1])
  local callers = {}
  if arguments[2] then
    for line in io.lines(arguments[2]) do callers[#callers + 1] = { Authorization = line } end
  end
  for index = 0, count - 1 do
    local path = string.format("/token?tripID=cached-%04d", index)
    requests[index] = wrk.format("GET", path, callers[index % math.max(#callers, 1) + 1])
  end
end

function request()
  local index = following
  following = (index + 1) % count
  return requests[index]
end
