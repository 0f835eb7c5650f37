-- Every second request belongs to a flood from one address. The others are ordinary: warmed ids for authenticated callers,
-- each from an address of its own.
-- Arguments: the number of ids; a file with a value of Authorization for each; a file with the values of the flood, which
-- are used in turn; and the header in which the flood sends them.
local ordinary, flood = {}, {}
local count = 0

local function format(address, number, header, value)
  return wrk.format(
    "GET", string.format("/token?tripID=cached-%04d", number), { ["X-Forwarded-For"] = address, [header] = value })
end

function init(arguments)
  local ids = tonumber(arguments[1])
  for value in io.lines(arguments[2]) do
    local number = #ordinary
    local address = string.format("10.0.%d.%d", math.floor(number / 256), number % 256)
    ordinary[number + 1] = format(address, number % ids, "Authorization", value)
  end
  for value in io.lines(arguments[3]) do flood[#flood + 1] = format("192.0.2.1", #flood % ids, arguments[4], value) end
end

function request()
  count = count + 1
  local half = math.floor(count / 2)
  if count % 2 == 0 then return flood[half % #flood + 1] end
  return ordinary[half % #ordinary + 1]
end
