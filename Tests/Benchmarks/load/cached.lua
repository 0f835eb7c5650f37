-- Cycles over warmed ids. Every request is formatted once, so that the load generator stays cheaper than the server.
-- Argument: the number of ids.
local requests = {}
local count = 0
local following = 0

function init(arguments)
  count = tonumber(arguments[1])
  for index = 0, count - 1 do
    requests[index] = wrk.format("GET", string.format("/token?tripID=cached-%04d", index))
  end
end

function request()
  local index = following
  following = (index + 1) % count
  return requests[index]
end
