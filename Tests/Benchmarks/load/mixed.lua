-- Every sort of request that may leak, in one stream: mostly warmed ids. Of every 1,000 requests five have new ids, five
-- are refused, two have unknown paths, and one closes its connection.
-- Arguments: the number of warmed ids, a prefix that no other round uses, and, for a steady load, the milliseconds that
-- each connection waits before a request.
local cached = {}
local warmed = 0
local prefix = ""
local refusal, unknown, closing
local count = 0

function init(arguments)
  warmed = tonumber(arguments[1])
  prefix = "/token?vehicleID=" .. arguments[2] .. "-"
  for index = 0, warmed - 1 do
    cached[index] = wrk.format("GET", string.format("/token?tripID=cached-%04d", index))
  end
  refusal = wrk.format("GET", "/token?tripID=a%2Fb")
  unknown = wrk.format("GET", "/unknown")
  closing = wrk.format("GET", "/token?tripID=cached-0000", { Connection = "close" })
  -- wrk waits if there is a function of this name.
  if arguments[3] then delay = function() return tonumber(arguments[3]) end end
end

function request()
  count = count + 1
  local slot = count % 1000
  if slot % 200 == 1 then return wrk.format("GET", prefix .. count) end
  if slot % 200 == 2 then return refusal end
  if slot % 500 == 3 then return unknown end
  if slot == 4 then return closing end
  return cached[count % warmed]
end
