-- Every request has a token that was not sent before, for warmed ids.
-- Arguments: the number of ids, and a file with a value of Authorization on each line.
local credentials = {}
local count = 0
local used = 0

function init(arguments)
  count = tonumber(arguments[1])
  for line in io.lines(arguments[2]) do credentials[#credentials + 1] = "\r\nAuthorization: " .. line .. "\r\n\r\n" end
end

function request()
  used = used + 1
  -- After the last token a request has none and is refused, which makes the round invalid: no token is sent twice.
  local path = string.format("/token?tripID=cached-%04d", used % count)
  return "GET " .. path .. " HTTP/1.1\r\nHost: " .. wrk.host .. (credentials[used] or "\r\n\r\n")
end
