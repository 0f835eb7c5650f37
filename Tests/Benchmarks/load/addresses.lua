-- Every request has a wrong API key and comes from a client with a different address.
-- Argument: the number of the first address; without it the requests name no client.
local following
local begin = "GET /token?tripID=a HTTP/1.1\r\nAuthorization: Bearer tpk_wrong\r\nHost: "

function init(arguments)
  following = tonumber(arguments[1])
  begin = begin .. wrk.host .. "\r\n"
end

function request()
  if not following then return begin .. "\r\n" end
  local number = following
  following = number + 1
  local a, b = 1 + math.floor(number / 16777216), math.floor(number / 65536) % 256
  return begin .. string.format(
    "X-Forwarded-For: %d.%d.%d.%d\r\n\r\n", a, b, math.floor(number / 256) % 256, number % 256)
end
