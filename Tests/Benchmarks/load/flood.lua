-- Cycles over warmed ids, with a header whose values are used in turn.
-- Arguments: the number of ids; a file with the values; the header's name; and the address that all requests come from, or
-- "each" if each value comes from an address of its own.
local requests = {}
local following = 0

local function address(number, shared)
  if shared ~= "each" then return shared end
  return string.format("10.0.%d.%d", math.floor(number / 256), number % 256)
end

function init(arguments)
  local ids = tonumber(arguments[1])
  for value in io.lines(arguments[2]) do
    local number = #requests
    requests[number + 1] = wrk.format(
      "GET", string.format("/token?tripID=cached-%04d", number % ids),
      { ["X-Forwarded-For"] = address(number, arguments[4]), [arguments[3]] = value })
  end
end

function request()
  following = following % #requests + 1
  return requests[following]
end
